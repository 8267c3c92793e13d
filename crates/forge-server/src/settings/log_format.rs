//! The format of the server's own log.

use std::str::FromStr;

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// Text lines for people.
    #[default]
    Text,
    /// One JSON object per line, for collectors.
    Json,
}

impl FromStr for LogFormat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err("is not `text` or `json`"),
        }
    }
}
