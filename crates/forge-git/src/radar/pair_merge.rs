use std::collections::{BTreeMap, BTreeSet};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::merge::commit_identity::{CommitIdentity, CommitSignature};
use crate::radar::pair_result::{MergeSide, PairResult};
use crate::radar::scratch_repo::ScratchRepo;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// How many pairs one git process merges.
const BATCH_SIZE: usize = 256;
/// With more failures than this, the repository is at fault and not a single pair.
const MAX_FAILURES: usize = 20;

/// A pair that git has to merge.
#[derive(Debug)]
pub(crate) struct PairMerge {
    /// The index by which the caller identifies the pair.
    pub(crate) pair_index: usize,
    pub(crate) one: MergeSide,
    pub(crate) other: MergeSide,
    pub(crate) bases: BTreeSet<ObjectId>,
}

/// Merges pairs, many with one git process. Uses the attributes of the merge base, so that the result does not depend
/// on the order of the two sides. A pair that git cannot merge at all has no result.
pub(crate) async fn merge_pairs(
    repo: &Repo,
    trials: Vec<PairMerge>,
) -> Result<Vec<(usize, PairResult)>, GitError> {
    let Some(sample) = trials.first().map(|trial| trial.one.tree.clone()) else {
        return Ok(Vec::new());
    };
    let scratch = ScratchRepo::create_for(repo, &sample)?;
    let mut by_base: BTreeMap<Option<ObjectId>, Vec<PairMergeInput>> = BTreeMap::new();
    for trial in trials {
        let question = prepare_input(repo, &scratch, &trial).await?;
        by_base.entry(trial.bases.into_iter().next()).or_default().push(question);
    }
    let (mut found, mut failures) = (Vec::new(), 0);
    for (base, pairs) in by_base {
        let mut rest = pairs.as_slice();
        while !rest.is_empty() {
            let batch = rest.get(..BATCH_SIZE).unwrap_or(rest);
            let input: String = batch.iter().map(|question| question.line.as_str()).collect();
            let outcome = GitCommand::merge_in_scratch(&scratch, base.as_ref(), "merge-tree")
                .args(["--stdin", "-z", "--name-only", "--no-messages"])
                .input(input)
                .output()
                .await?;
            let answers = parse_outputs(outcome.stdout());
            let answered = answers.len().min(batch.len());
            for (question, answer) in batch.iter().zip(answers) {
                found.push((question.pair_index, answer.into_result(&question.labels)));
            }
            let failed = outcome.code() != Some(0) || answered < batch.len();
            if failed {
                failures += 1;
                let said = outcome.stderr();
                if failures > MAX_FAILURES {
                    return Err(outcome.into_error());
                }
                tracing::warn!(said, "test merge of a pair failed");
            }
            rest = rest.get(answered + usize::from(failed)..).unwrap_or_default();
        }
    }
    Ok(found)
}

/// The input line for one pair, and the names that git gives the two sides.
#[derive(Debug)]
struct PairMergeInput {
    pair_index: usize,
    labels: [ObjectId; 2],
    line: String,
}

/// Prepares the input for a pair. With more than one common ancestor git has to find and merge the ancestors itself,
/// and needs commits whose only history is their branch.
async fn prepare_input(
    repo: &Repo,
    scratch: &ScratchRepo,
    trial: &PairMerge,
) -> Result<PairMergeInput, GitError> {
    let place = trial.pair_index;
    let mut pair = [&trial.one, &trial.other];
    pair.sort_by_key(|side| &side.tree);
    let [one, other] = pair;
    let mut bases = trial.bases.iter();
    let base = match (bases.next(), bases.next()) {
        (Some(base), None) => base.clone(),
        (None, _) => repo.empty_tree().await?,
        (Some(_), Some(_)) => {
            let labels =
                [commit_on_head(scratch, one).await?, commit_on_head(scratch, other).await?];
            let [one, other] = &labels;
            let line = format!("{one} {other}\n");
            return Ok(PairMergeInput { pair_index: place, labels, line });
        }
    };
    let (one, other) = (&one.content, &other.content);
    let line = format!("{base} -- {one} {other}\n");
    Ok(PairMergeInput { pair_index: place, labels: [one.clone(), other.clone()], line })
}

/// The commit of a side whose only parent is the branch's head.
async fn commit_on_head(scratch: &ScratchRepo, side: &MergeSide) -> Result<ObjectId, GitError> {
    if side.content == side.head {
        return Ok(side.head.clone());
    }
    let forge = CommitIdentity::new("Forge", "forge@localhost")
        .map_err(|error| GitError::unexpected("commit-tree", error.to_string().as_bytes()))?;
    let signature = CommitSignature { author: forge.clone(), committer: forge, at: 0 };
    GitCommand::merge_in_scratch(scratch, None, "commit-tree")
        .args([side.tree.as_str(), "-p", side.head.as_str(), "-m", "Uncommitted"])
        .signed(&signature)
        .output_object_id()
        .await
}

#[derive(Debug, PartialEq, Eq)]
struct PairMergeOutput {
    clean: bool,
    files: Vec<String>,
}

impl PairMergeOutput {
    /// Converts the output to a result. Git appends the side's name to a file that gives way to a directory; report
    /// the original name.
    fn into_result(self, labels: &[ObjectId; 2]) -> PairResult {
        if self.clean {
            return PairResult::Clean;
        }
        let own = |file: String| {
            let cut = labels.iter().filter_map(|label| file.rfind(&format!("~{label}"))).min();
            cut.and_then(|cut| file.get(..cut)).map(str::to_owned).unwrap_or(file)
        };
        let files: BTreeSet<String> = self.files.into_iter().map(own).collect();
        PairResult::Conflict { files: files.into_iter().collect() }
    }
}

/// Parses the complete answers: a success flag, a tree, the conflicting files and an empty field.
fn parse_outputs(output: &[u8]) -> Vec<PairMergeOutput> {
    let mut answers = Vec::new();
    // Each field ends with a zero byte; the rest after the last zero byte is incomplete.
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
        answers.push(PairMergeOutput { clean, files });
    }
    answers
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_14_a_truncated_answer_is_ignored() {
        let whole = b"1\0aaaa\0\0".as_slice();
        assert_eq!(parse_outputs(whole), [PairMergeOutput { clean: true, files: vec![] }]);
        let clash = b"1\0aaaa\0\0\x30\0bbbb\0x\0y z\0\0".as_slice();
        let answers = parse_outputs(clash);
        assert_eq!(answers.len(), 2);
        assert_eq!(answers.last().expect("two").files, ["x", "y z"]);
        for cut in 0..clash.len() {
            let answers = parse_outputs(clash.get(..cut).expect("shorter"));
            assert!(answers.len() < 2, "{cut}");
        }
    }
}
