//! Commit subjects are `area: imperative summary` and fit on one line.

use crate::commit_history::CommitSubject;
use crate::rule_violation::RuleViolation;

const MOST_CHARACTERS: usize = 72;

const FIX: &str = "reword the commit before it lands: `area: imperative summary`";

/// Each subject has lower-case areas, a colon, a space and a summary, in at most 72 characters.
///
/// Whether the summary is an imperative is left to the reviewer.
pub fn check(commits: &[CommitSubject]) -> Vec<RuleViolation> {
    let violation = |commit: &CommitSubject, problem| {
        RuleViolation::new(format!("commit {}", commit.hash), 1, problem, FIX)
    };
    commits
        .iter()
        .flat_map(|commit| {
            let subject = &commit.subject;
            let length = subject.chars().count();
            let long = (length > MOST_CHARACTERS).then(|| {
                format!("the subject has {length} characters, the limit is {MOST_CHARACTERS}")
            });
            let shapeless =
                (!has_area(subject)).then(|| format!("`{subject}` does not begin with `area: `"));
            [long, shapeless].into_iter().flatten().map(|problem| violation(commit, problem))
        })
        .collect()
}

/// Whether the subject is `area: summary`, or `area, area: summary` for a change of several.
fn has_area(subject: &str) -> bool {
    let Some((areas, summary)) = subject.split_once(": ") else {
        return false;
    };
    areas.split(", ").all(is_area) && summary.starts_with(|first: char| !first.is_whitespace())
}

fn is_area(area: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_/.".contains(c);
    area.starts_with(|first: char| first.is_ascii_lowercase()) && area.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(subject: &str) -> Vec<String> {
        let commit = CommitSubject { hash: "1234567".to_owned(), subject: subject.to_owned() };
        check(&[commit]).into_iter().map(|offence| offence.problem).collect()
    }

    #[test]
    fn a_subject_without_an_area_is_caught() {
        for subject in [
            "",
            "wip",
            "Format",
            "Add a rule",
            "Git: add a rule",
            "git add a rule",
            "git:add a rule",
            "git : add a rule",
            "git: ",
            ": add a rule",
            "git,store: add a rule",
            "fixup! git: add a rule",
            "the pool: add a rule",
        ] {
            let expected = [format!("`{subject}` does not begin with `area: `")];
            assert_eq!(problems(subject), expected, "{subject}");
        }
    }

    #[test]
    fn a_subject_over_72_characters_is_caught() {
        let fits = format!("git: {}", "ä".repeat(67));
        assert_eq!(problems(&fits), [""; 0]);
        let expected = ["the subject has 73 characters, the limit is 72"];
        assert_eq!(problems(&format!("{fits}a")), expected);
        assert_eq!(problems(&"a".repeat(73)).len(), 2);
    }

    #[test]
    fn subjects_with_one_or_more_areas_pass() {
        for subject in ["git: add a rule", "web, docs: follow `a: b`", "forge-git/pool: refill it"]
        {
            assert_eq!(problems(subject), [""; 0], "{subject}");
        }
    }
}
