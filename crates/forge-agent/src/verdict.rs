//! Reading a reviewer's judgement from its output (M-3): the last JSON object that has a verdict.

use forge_domain::Verdict;
use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    verdict: Word,
    #[serde(default)]
    feedback: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Pass,
    Fail,
    Blocked,
}

/// The verdict at the end of an output; none if there is no readable one.
pub fn read_verdict(output: &str) -> Option<Verdict> {
    output.rmatch_indices('{').find_map(|(start, _)| {
        let mut values =
            serde_json::Deserializer::from_str(output.get(start..)?).into_iter::<Answer>();
        values.next()?.ok().map(Verdict::from)
    })
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Self {
        let spoken = answer.feedback.filter(|text| !text.trim().is_empty());
        let unexplained = || "no reason was given".to_owned();
        match answer.verdict {
            Word::Pass => Self::Pass { feedback: spoken },
            Word::Fail => Self::Fail { feedback: spoken.unwrap_or_else(unexplained) },
            Word::Blocked => Self::Blocked { feedback: spoken.unwrap_or_else(unexplained) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_3_the_last_object_with_a_verdict_counts() {
        let output =
            "thinking {\"verdict\":\"fail\",\"feedback\":\"x\"}\nthen {\"verdict\": \"pass\"}\nbye";
        assert_eq!(read_verdict(output), Some(Verdict::Pass { feedback: None }));
        let nested = "{\"verdict\":\"fail\",\"feedback\":\"use {braces}\"}";
        assert_eq!(read_verdict(nested), Some(Verdict::Fail { feedback: "use {braces}".into() }));
    }

    #[test]
    fn m_3_nonsense_is_no_verdict() {
        for output in [
            "",
            "pass",
            "{",
            "{}",
            "{\"verdict\":\"maybe\"}",
            "verdict: pass",
            "{\"verdict\":true}",
        ] {
            assert_eq!(read_verdict(output), None, "{output}");
        }
    }
}
