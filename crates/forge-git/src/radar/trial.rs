use std::collections::{BTreeMap, BTreeSet};

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::{Person, Signature};
use crate::radar::meeting::{Meeting, Side};
use crate::radar::scratch::Scratch;
use crate::repo::Repo;

/// One process merges so many pairs.
const AT_ONCE: usize = 256;
/// Where git gives up more often, something is wrong with the repository and not with a pair.
const MOST_FAILURES: usize = 20;

/// A pair that has to be merged to know.
#[derive(Debug)]
pub(super) struct Trial {
    /// For the caller to know it by.
    pub(super) place: usize,
    pub(super) one: Side,
    pub(super) other: Side,
    pub(super) bases: BTreeSet<ObjectId>,
}

/// Merges pairs, many with one process. The attributes that count are those of what the two have in common, so that the
/// answer is the same whoever is asked first. A pair that git cannot merge at all has no answer.
pub(super) async fn run(
    repo: &Repo,
    trials: Vec<Trial>,
) -> Result<Vec<(usize, Meeting)>, GitError> {
    let Some(sample) = trials.first().map(|trial| trial.one.tree.clone()) else {
        return Ok(Vec::new());
    };
    let scratch = Scratch::beside(repo, &sample)?;
    let mut by_base: BTreeMap<Option<ObjectId>, Vec<Question>> = BTreeMap::new();
    for trial in trials {
        let question = question(repo, &scratch, &trial).await?;
        by_base.entry(trial.bases.into_iter().next()).or_default().push(question);
    }
    let (mut found, mut failures) = (Vec::new(), 0);
    for (base, pairs) in by_base {
        let mut rest = pairs.as_slice();
        while !rest.is_empty() {
            let batch = rest.get(..AT_ONCE).unwrap_or(rest);
            let input: String = batch.iter().map(|question| question.line.as_str()).collect();
            let outcome = Command::merge_in(&scratch, base.as_ref(), "merge-tree")
                .args(["--stdin", "-z", "--name-only", "--no-messages"])
                .input(input)
                .outcome()
                .await?;
            let answers = parse(outcome.stdout());
            let answered = answers.len().min(batch.len());
            for (question, answer) in batch.iter().zip(answers) {
                found.push((question.place, answer.told(&question.labels)));
            }
            let failed = outcome.code() != Some(0) || answered < batch.len();
            if failed {
                failures += 1;
                let said = outcome.stderr();
                if failures > MOST_FAILURES {
                    return Err(outcome.into_error());
                }
                tracing::warn!(said, "a pair of branches could not be merged to see if they clash");
            }
            rest = rest.get(answered + usize::from(failed)..).unwrap_or_default();
        }
    }
    Ok(found)
}

/// What git is told about a pair, and what it calls the two.
#[derive(Debug)]
struct Question {
    place: usize,
    labels: [ObjectId; 2],
    line: String,
}

/// How to ask about a pair. With more than one common ancestor git has to find and
/// merge them itself, and so needs commits with nothing but their branch behind them.
async fn question(repo: &Repo, scratch: &Scratch, trial: &Trial) -> Result<Question, GitError> {
    let place = trial.place;
    let mut pair = [&trial.one, &trial.other];
    pair.sort_by_key(|side| &side.tree);
    let [one, other] = pair;
    let mut bases = trial.bases.iter();
    let base = match (bases.next(), bases.next()) {
        (Some(base), None) => base.clone(),
        (None, _) => repo.empty_tree().await?,
        (Some(_), Some(_)) => {
            let labels = [plain(scratch, one).await?, plain(scratch, other).await?];
            let [one, other] = &labels;
            let line = format!("{one} {other}\n");
            return Ok(Question { place, labels, line });
        }
    };
    let (one, other) = (&one.content, &other.content);
    let line = format!("{base} -- {one} {other}\n");
    Ok(Question { place, labels: [one.clone(), other.clone()], line })
}

/// The commit of a side whose only parent is the branch's head.
async fn plain(scratch: &Scratch, side: &Side) -> Result<ObjectId, GitError> {
    if side.content == side.head {
        return Ok(side.head.clone());
    }
    let forge = Person::new("Forge", "forge@localhost")
        .map_err(|error| GitError::unexpected("commit-tree", error.to_string().as_bytes()))?;
    let signature = Signature { author: forge.clone(), committer: forge, at: 0 };
    Command::merge_in(scratch, None, "commit-tree")
        .args([side.tree.as_str(), "-p", side.head.as_str(), "-m", "Uncommitted"])
        .signed(&signature)
        .object_id()
        .await
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    clean: bool,
    files: Vec<String>,
}

impl Answer {
    /// A file that has to make way for a directory is called after its side; people know it by its own name.
    fn told(self, labels: &[ObjectId; 2]) -> Meeting {
        if self.clean {
            return Meeting::Clean;
        }
        let own = |file: String| {
            let cut = labels.iter().filter_map(|label| file.rfind(&format!("~{label}"))).min();
            cut.and_then(|cut| file.get(..cut)).map(str::to_owned).unwrap_or(file)
        };
        let files: BTreeSet<String> = self.files.into_iter().map(own).collect();
        Meeting::Clash { files: files.into_iter().collect() }
    }
}

/// The complete answers: a word for success, a tree, the files that clash and an empty field.
fn parse(output: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    // Each field ends with a zero byte: what follows the last of them is none, or not all of one.
    let whole = output.iter().rposition(|byte| *byte == 0).and_then(|end| output.get(..end));
    let mut fields = whole.into_iter().flat_map(|whole| whole.split(|byte| *byte == 0));
    while let (Some(word), Some(_tree)) = (fields.next(), fields.next()) {
        let clean = match word {
            b"1" => true,
            b"0" => false,
            _ => return answers,
        };
        let mut files = Vec::new();
        loop {
            match fields.next() {
                None => return answers,
                Some([]) => break,
                Some(file) => files.push(String::from_utf8_lossy(file).into_owned()),
            }
        }
        answers.push(Answer { clean, files });
    }
    answers
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_14_an_answer_that_was_cut_off_is_none() {
        let whole = b"1\0aaaa\0\0".as_slice();
        assert_eq!(parse(whole), [Answer { clean: true, files: vec![] }]);
        let clash = b"1\0aaaa\0\0\x30\0bbbb\0x\0y z\0\0".as_slice();
        let answers = parse(clash);
        assert_eq!(answers.len(), 2);
        assert_eq!(answers.last().expect("two").files, ["x", "y z"]);
        for cut in 0..clash.len() {
            let answers = parse(clash.get(..cut).expect("shorter"));
            assert!(answers.len() < 2, "{cut}");
        }
    }
}
