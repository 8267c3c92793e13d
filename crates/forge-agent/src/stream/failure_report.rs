//! Why an execution failed: out of quota (the agent waits), not signed in (a user must act), or any other failure.

use crate::stream::quota_reset::reset_time;
use forge_domain::{AgentFailure, ExecutionEnding, FailureClass, Timestamp};
use serde::Deserialize;

/// One of an adapter's `[[errors]]`: any of these phrases, as whole words and in any case, or one of these exit
/// codes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FailureRule {
    class: FailureClass,
    #[serde(default)]
    contains: Vec<String>,
    #[serde(default)]
    exit_codes: Vec<i32>,
}

/// What a program reported and printed when it failed.
#[derive(Debug, Clone, Default)]
pub(crate) struct FailureReport {
    /// Errors that the program reported as such, in order.
    pub(crate) reported: Vec<String>,
    /// The end of its output outside the stream.
    pub(crate) printed: String,
    /// The program reported that its quota is used up, and until when.
    pub(crate) limited: Option<Option<Timestamp>>,
    /// The program reported that the execution failed.
    pub(crate) failed: bool,
}

const KEPT_CHARS: usize = 4096;
/// How many of the last printed lines can explain a failure. Earlier lines are the work itself, such as test output,
/// and may mention logins and limits.
const LAST_LINES: usize = 60;

impl FailureReport {
    /// Classifies the failure, if there was one. The agent's answer text is never inspected.
    pub(crate) fn classify(
        &self,
        rules: &[FailureRule],
        ending: ExecutionEnding,
        now: Timestamp,
    ) -> Option<AgentFailure> {
        let clean = match ending {
            ExecutionEnding::Exited { code: 0 } | ExecutionEnding::Submitted => true,
            // The server ended the program; its errors during the shutdown explain nothing.
            ExecutionEnding::Stopped
            | ExecutionEnding::TimedOut
            | ExecutionEnding::DeadlineReached
            | ExecutionEnding::Lost => {
                return None;
            }
            ExecutionEnding::Exited { .. } | ExecutionEnding::Signalled { .. } => false,
        };
        if clean && !self.failed {
            return None;
        }
        let reported = self.reported.iter().rev().map(String::as_str);
        let printed = (!clean).then_some(last_lines(&self.printed));
        let spoken: Vec<&str> =
            reported.chain(printed).filter(|text| !text.trim().is_empty()).collect();
        let matched = spoken.iter().find_map(|text| {
            let low = text.to_lowercase();
            let rule = rules.iter().find(|rule| rule.matches(&low))?;
            Some((rule.class, *text))
        });
        let said = || spoken.first().copied().unwrap_or_default();
        let matched = matched.or_else(|| {
            let rule = rules.iter().find(|rule| rule.has_code(ending))?;
            Some((rule.class, said()))
        });
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
            "" => format!("the program ended without reporting why ({})", describe_ending(ending)),
            text => text.to_owned(),
        };
        Some(AgentFailure { class, message, until })
    }
}

impl FailureRule {
    fn matches(&self, low: &str) -> bool {
        self.contains.iter().any(|phrase| contains_words(low, phrase))
    }

    fn has_code(&self, ending: ExecutionEnding) -> bool {
        matches!(ending, ExecutionEnding::Exited { code } if self.exit_codes.contains(&code))
    }
}

fn last_lines(text: &str) -> &str {
    let ends = text.trim_end().rmatch_indices('\n').map(|(at, _)| at + 1);
    let start = ends.take(LAST_LINES).last().filter(|_| text.lines().count() > LAST_LINES);
    text.get(start.unwrap_or(0)..).unwrap_or_default()
}

/// Whether the phrase occurs in the text and not inside a longer word or number.
fn contains_words(text: &str, phrase: &str) -> bool {
    let ends_word = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|tail| tail.chars().next());
        ends_word(before) && ends_word(after)
    })
}

fn last_chars(text: &str) -> &str {
    let mut start = text.len().saturating_sub(KEPT_CHARS);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

fn describe_ending(ending: ExecutionEnding) -> String {
    match ending {
        ExecutionEnding::Exited { code } => format!("exit code {code}"),
        ExecutionEnding::Signalled { signal } => format!("signal {signal}"),
        ExecutionEnding::TimedOut
        | ExecutionEnding::DeadlineReached
        | ExecutionEnding::Stopped
        | ExecutionEnding::Lost
        | ExecutionEnding::Submitted => "no exit code".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::adapter::agent_adapter::AgentAdapter;
    use crate::adapter::agent_kind::AgentKind;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn judged(
        kind: AgentKind,
        complaint: &FailureReport,
        ending: ExecutionEnding,
    ) -> Option<AgentFailure> {
        complaint.classify(&AgentAdapter::of(kind).expect("loads").errors, ending, NOW)
    }

    fn reported(text: &str) -> FailureReport {
        FailureReport { reported: vec![text.into()], failed: true, ..FailureReport::default() }
    }

    #[test]
    fn e_9_quota_auth_and_crash_are_distinguished() {
        let failed = ExecutionEnding::Exited { code: 1 };
        for (kind, text, class) in [
            (AgentKind::Claude, "Claude AI usage limit reached|1749924000", FailureClass::Quota),
            (AgentKind::Claude, "Invalid API key · Please run /login", FailureClass::Auth),
            (AgentKind::Claude, "API Error: 500 internal", FailureClass::Error),
            (
                AgentKind::Codex,
                "You've hit your usage limit. Try again in 2 hours.",
                FailureClass::Quota,
            ),
            (AgentKind::Codex, "unexpected status 401 Unauthorized: no", FailureClass::Auth),
            (AgentKind::Qwen, "[API Error: 429 status code (no body)]", FailureClass::Quota),
            (AgentKind::Qwen, "cannot read line 4291", FailureClass::Error),
        ] {
            let failure = judged(kind, &reported(text), failed).expect("failed");
            assert_eq!(failure.class, class, "{text}");
            assert_eq!(failure.message, text);
        }
        let silent = judged(
            AgentKind::Claude,
            &FailureReport::default(),
            ExecutionEnding::Signalled { signal: 11 },
        );
        let silent = silent.expect("failed");
        assert_eq!(silent.class, FailureClass::Crash);
        assert!(silent.message.contains("signal 11"), "{}", silent.message);
    }

    #[test]
    fn e_9_a_successful_or_stopped_execution_is_no_failure() {
        let printed =
            FailureReport { printed: "warning: rate limit".into(), ..FailureReport::default() };
        assert_eq!(judged(AgentKind::Claude, &printed, ExecutionEnding::Exited { code: 0 }), None);
        let stopped = judged(AgentKind::Claude, &reported("rate limit"), ExecutionEnding::Stopped);
        assert_eq!(stopped, None);
    }

    #[test]
    fn e_9_the_reset_time_is_kept() {
        let failed = ExecutionEnding::Exited { code: 1 };
        let failure =
            judged(AgentKind::Claude, &reported("usage limit reached|1749924000"), failed);
        let at = Timestamp::from_millis(1_749_924_000_000);
        assert_eq!(failure.expect("failed").until, Some(at));
    }
}
