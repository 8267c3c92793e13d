//! Pages of log files.

use std::io::{ErrorKind, SeekFrom};
use std::path::Path;

use forge_api::{ErrorCode, LogPage, LogQuery};
use serde_json::json;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;

const USUAL: u32 = 64 * 1024;
const MOST: u32 = 1024 * 1024;
/// Length of the longest UTF-8 character; a smaller page could never get past one.
const LEAST: u32 = 4;

/// A part of the log at `path`. Determine `complete` before the call: after that nothing is appended.
pub(crate) async fn page(
    path: &Path,
    query: &LogQuery,
    complete: bool,
) -> Result<LogPage, ApiError> {
    let (from, limit) = (query.from.unwrap_or_default(), limit(query)?);
    // Read one more byte than requested, to know whether anything follows.
    let bytes = match read(path, from, u64::from(limit) + 1).await {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(internal_error(&format!("{}: {error}", path.display()))),
    };
    Ok(cut_page(bytes, from, limit, complete))
}

/// The number of bytes per page.
pub(crate) fn limit(query: &LogQuery) -> Result<u32, ApiError> {
    let limit = query.limit.unwrap_or(USUAL);
    if (LEAST..=MOST).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("The query parameter `limit` must be between {LEAST} and {MOST} bytes.");
    Err(ApiError::new(ErrorCode::InvalidQuery, message)
        .with_details(json!({ "parameter": "limit" })))
}

/// The page of these bytes, which contain one byte more than fits if anything follows.
pub(crate) fn cut_page(mut bytes: Vec<u8>, from: u64, limit: u32, complete: bool) -> LogPage {
    let follows = bytes.len() > limit as usize;
    bytes.truncate(limit as usize);
    let end = complete && !follows;
    if !end {
        bytes.truncate(bytes.len() - incomplete_suffix_len(&bytes));
    }
    LogPage {
        next: from + bytes.len() as u64,
        text: String::from_utf8_lossy(&bytes).into_owned(),
        from,
        end,
    }
}

async fn read(path: &Path, from: u64, most: u64) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path).await?;
    file.seek(SeekFrom::Start(from.min(i64::MAX as u64))).await?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// The number of bytes at the end that are the start of an incomplete character.
fn incomplete_suffix_len(bytes: &[u8]) -> usize {
    let tail = bytes.get(bytes.len().saturating_sub(3)..).unwrap_or(bytes);
    for (back, byte) in tail.iter().rev().enumerate() {
        let length = match byte {
            0b1100_0000..=0b1101_1111 => 2,
            0b1110_0000..=0b1110_1111 => 3,
            0b1111_0000..=0b1111_0111 => 4,
            0b1000_0000..=0b1011_1111 => continue,
            _ => return 0,
        };
        let there = back + 1;
        return if there < length { there } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    async fn walk(path: &Path, limit: u32) -> String {
        let (mut from, mut text) = (0, String::new());
        loop {
            let query = LogQuery { from: Some(from), limit: Some(limit) };
            let part = page(path, &query, true).await.expect("a page");
            assert_eq!(part.from, from);
            text.push_str(&part.text);
            if part.end {
                return text;
            }
            assert!(part.next > from, "a page gets on");
            from = part.next;
        }
    }

    #[tokio::test]
    async fn e_5_pages_of_any_size_add_up_to_the_log() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x.log");
        let text = "plain é ← 🦀🦀 end\n".repeat(20);
        std::fs::write(&path, &text).expect("a log");
        for limit in [4, 5, 6, 7, 64, 1000] {
            assert_eq!(walk(&path, limit).await, text, "pages of {limit} bytes");
        }
    }

    #[tokio::test]
    async fn e_5_a_growing_log_does_not_end_and_holds_back_an_incomplete_character() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("x.log");
        let query = LogQuery::default();
        let nothing = page(&path, &query, false).await.expect("a page");
        assert_eq!((nothing.text.as_str(), nothing.next, nothing.end), ("", 0, false));
        std::fs::write(&path, b"half \xf0\x9f").expect("a log");
        let part = page(&path, &query, false).await.expect("a page");
        assert_eq!((part.text.as_str(), part.next, part.end), ("half ", 5, false));
        let whole = page(&path, &query, true).await.expect("a page");
        assert_eq!((whole.text.as_str(), whole.next, whole.end), ("half \u{fffd}", 7, true));
    }
}
