//! An error with its causes, for log lines.

use std::error::Error;
use std::fmt;

/// Shows an error and its causes: `error: cause: cause`. An error that already ends with the text of its cause does not
/// repeat it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorChain<'a>(pub(crate) &'a (dyn Error + 'static));

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.to_string();
        f.write_str(&shown)?;
        for cause in std::iter::successors(self.0.source(), |cause| (*cause).source()) {
            let text = cause.to_string();
            if !shown.ends_with(&text) {
                write!(f, ": {text}")?;
                shown = text;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::effects::EffectError;

    #[derive(Debug, thiserror::Error)]
    #[error("could not read the branch")]
    struct Outer(#[source] Repeating);

    #[derive(Debug, thiserror::Error)]
    #[error("git failed: {0}")]
    struct Repeating(#[source] std::io::Error);

    #[test]
    fn a_log_line_shows_every_cause_once_and_the_message_only_the_error() {
        let cause = std::io::Error::other("no space left");
        let error = EffectError::transient(Outer(Repeating(cause)));
        assert_eq!(error.to_string(), "could not read the branch");
        let shown = ErrorChain(&error).to_string();
        assert_eq!(shown, "could not read the branch: git failed: no space left");
        let plain = EffectError::transient("the branch was pushed to".to_owned());
        assert_eq!(ErrorChain(&plain).to_string(), "the branch was pushed to");
    }
}
