//! A reference to a task, as users type it.

use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

/// `T-12`, `#12` or `12`, within a project, or a task's identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskRef {
    Number(u64),
    Id(Uuid),
}

/// Neither a number nor an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a task is named by its number, such as T-12, or by its identifier")]
pub(crate) struct TaskRefError;

impl FromStr for TaskRef {
    type Err = TaskRefError;

    fn from_str(text: &str) -> Result<Self, TaskRefError> {
        let marks = ["T-", "t-", "#"];
        let digits = marks.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
        if digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(number) = digits.parse()
        {
            return Ok(Self::Number(number));
        }
        text.parse().map(Self::Id).map_err(|_| TaskRefError)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn tasks_are_named_by_number_or_identifier() {
        for text in ["T-12", "t-12", "#12", "12"] {
            assert_eq!(text.parse(), Ok(TaskRef::Number(12)), "{text}");
        }
        let id = Uuid::nil();
        assert_eq!(id.to_string().parse(), Ok(TaskRef::Id(id)));
        for text in ["", "T-", "#", "#T-1", "-12", "T--1", "T-+1", "X-1", "T-99999999999999999999"]
        {
            assert_eq!(text.parse::<TaskRef>(), Err(TaskRefError), "{text}");
        }
    }
}
