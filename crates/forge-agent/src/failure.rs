//! Why a turn failed: an agent out of quota waits, one without a login needs a person, anything else is a failure.

use crate::reset::reset_time;
use forge_domain::{Ending, FailureClass, RunFailure, Timestamp};
use serde::Deserialize;

/// A line of an adapter's `[[errors]]`: any of these phrases, as whole words, in any case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    class: FailureClass,
    contains: Vec<String>,
}

/// What a program left behind when it failed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Complaint {
    /// Errors it reported as such, in order.
    pub(crate) reported: Vec<String>,
    /// The last of what it printed besides its stream.
    pub(crate) printed: String,
    /// It said that its allowance is used up, and until when.
    pub(crate) limited: Option<Option<Timestamp>>,
    /// It said that the turn failed.
    pub(crate) failed: bool,
}

const KEPT: usize = 4096;

impl Complaint {
    /// The failure, if there was one. What an agent says in its answer is never looked at.
    pub(crate) fn judge(
        &self,
        rules: &[Rule],
        ending: Ending,
        now: Timestamp,
    ) -> Option<RunFailure> {
        let clean = match ending {
            Ending::Exited { code: 0 } | Ending::Submitted => true,
            // Someone ended it; what it complained about on the way down explains nothing.
            Ending::Stopped | Ending::TimedOut | Ending::Lost => return None,
            Ending::Exited { .. } | Ending::Signalled { .. } => false,
        };
        if clean && !self.failed {
            return None;
        }
        let reported = self.reported.iter().rev().map(String::as_str);
        let printed = (!clean).then_some(self.printed.as_str());
        let spoken: Vec<&str> =
            reported.chain(printed).filter(|text| !text.trim().is_empty()).collect();
        let matched = spoken.iter().find_map(|text| {
            let low = text.to_lowercase();
            let rule = rules.iter().find(|rule| rule.matches(&low))?;
            Some((rule.class, *text))
        });
        let said = || spoken.first().copied().unwrap_or_default();
        let (class, text) = match (matched, self.limited) {
            (_, Some(_)) => (FailureClass::Quota, said()),
            (Some(matched), None) => matched,
            (None, None) if self.reported.is_empty() => (FailureClass::Crash, said()),
            (None, None) => (FailureClass::Error, said()),
        };
        let until = match class {
            FailureClass::Quota => self.limited.flatten().or_else(|| reset_time(text, now)),
            _ => None,
        };
        let message = match last_chars(text.trim()) {
            "" => format!("the program ended without a word about why ({})", described(ending)),
            text => text.to_owned(),
        };
        Some(RunFailure { class, message, until })
    }
}

impl Rule {
    fn matches(&self, low: &str) -> bool {
        self.contains.iter().any(|phrase| contains_words(low, phrase))
    }
}

/// Whether the phrase stands in the text and not inside a longer word or number.
fn contains_words(text: &str, phrase: &str) -> bool {
    let ends_word = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|tail| tail.chars().next());
        ends_word(before) && ends_word(after)
    })
}

fn last_chars(text: &str) -> &str {
    let mut start = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

fn described(ending: Ending) -> String {
    match ending {
        Ending::Exited { code } => format!("exit code {code}"),
        Ending::Signalled { signal } => format!("signal {signal}"),
        Ending::TimedOut | Ending::Stopped | Ending::Lost | Ending::Submitted => {
            "no exit code".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::adapter::Adapter;
    use crate::kind::Kind;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn judged(kind: Kind, complaint: &Complaint, ending: Ending) -> Option<RunFailure> {
        complaint.judge(&Adapter::of(kind).expect("loads").errors, ending, NOW)
    }

    fn reported(text: &str) -> Complaint {
        Complaint { reported: vec![text.into()], failed: true, ..Complaint::default() }
    }

    #[test]
    fn e_9_quota_auth_and_crash_are_told_apart() {
        let failed = Ending::Exited { code: 1 };
        for (kind, text, class) in [
            (Kind::Claude, "Claude AI usage limit reached|1749924000", FailureClass::Quota),
            (Kind::Claude, "Invalid API key · Please run /login", FailureClass::Auth),
            (Kind::Claude, "API Error: 500 internal", FailureClass::Error),
            (
                Kind::Codex,
                "You've hit your usage limit. Try again in 2 hours.",
                FailureClass::Quota,
            ),
            (Kind::Codex, "unexpected status 401 Unauthorized: no", FailureClass::Auth),
            (Kind::Qwen, "[API Error: 429 status code (no body)]", FailureClass::Quota),
            (Kind::Qwen, "cannot read line 4291", FailureClass::Error),
        ] {
            let failure = judged(kind, &reported(text), failed).expect("failed");
            assert_eq!(failure.class, class, "{text}");
            assert_eq!(failure.message, text);
        }
        let silent = judged(Kind::Claude, &Complaint::default(), Ending::Signalled { signal: 11 });
        let silent = silent.expect("failed");
        assert_eq!(silent.class, FailureClass::Crash);
        assert!(silent.message.contains("signal 11"), "{}", silent.message);
    }

    #[test]
    fn e_9_a_turn_that_went_well_or_was_stopped_is_no_failure() {
        let printed = Complaint { printed: "warning: rate limit".into(), ..Complaint::default() };
        assert_eq!(judged(Kind::Claude, &printed, Ending::Exited { code: 0 }), None);
        let stopped = judged(Kind::Claude, &reported("rate limit"), Ending::Stopped);
        assert_eq!(stopped, None);
    }

    #[test]
    fn e_9_the_reset_time_is_kept() {
        let failed = Ending::Exited { code: 1 };
        let failure = judged(Kind::Claude, &reported("usage limit reached|1749924000"), failed);
        let at = Timestamp::from_millis(1_749_924_000_000);
        assert_eq!(failure.expect("failed").until, Some(at));
    }
}
