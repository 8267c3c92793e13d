//! Reads a reviewer's verdict from its output (M-3): the last JSON object that has a verdict.

use forge_domain::Verdict;
use serde::Deserialize;

#[derive(Deserialize)]
struct VerdictAnswer {
    verdict: VerdictWord,
    #[serde(default)]
    feedback: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerdictWord {
    Pass,
    Fail,
    Blocked,
}

/// The verdict at the end of an output; `None` if there is no readable one. An object inside another object is part
/// of that one, so objects are read whole, from the first on.
pub(crate) fn read_verdict(output: &str) -> Option<Verdict> {
    let (mut last, mut at) = (None, 0);
    while let Some(start) = output.get(at..).and_then(|rest| rest.find('{')).map(|skip| at + skip) {
        let text = output.get(start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
        match values.next() {
            Some(Ok(object)) => {
                let answer = serde_json::from_value::<VerdictAnswer>(object).ok();
                last = answer.map(Verdict::from).or(last);
                at = start + values.byte_offset();
            }
            _ => at = start + 1,
        }
    }
    last
}

impl From<VerdictAnswer> for Verdict {
    fn from(answer: VerdictAnswer) -> Self {
        let spoken = answer.feedback.filter(|text| !text.trim().is_empty());
        let unexplained = || "no reason was given".to_owned();
        match answer.verdict {
            VerdictWord::Pass => Self::Pass { feedback: spoken },
            VerdictWord::Fail => Self::Fail { feedback: spoken.unwrap_or_else(unexplained) },
            VerdictWord::Blocked => Self::Blocked { feedback: spoken.unwrap_or_else(unexplained) },
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
    fn m_3_an_object_inside_another_is_no_verdict() {
        let nested =
            r#"{"verdict":"fail","feedback":"x","example":{"verdict":"pass"}} {"note": 1}"#;
        assert_eq!(read_verdict(nested), Some(Verdict::Fail { feedback: "x".into() }));
    }

    #[test]
    fn m_3_an_output_full_of_braces_is_read_in_time() {
        let flood = "{".repeat(200_000) + "{\"verdict\":\"pass\"}";
        assert_eq!(read_verdict(&flood), Some(Verdict::Pass { feedback: None }));
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
            "{\"verdict\": \"pass\" | \"fail\" | \"blocked\", \"feedback\": \"…\"}",
            "{\"said\": {\"verdict\": \"pass\"}}",
        ] {
            assert_eq!(read_verdict(output), None, "{output}");
        }
    }
}
