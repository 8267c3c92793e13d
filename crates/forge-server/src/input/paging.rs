//! Pagination: limits, cursors and pages (T-2).

use forge_api::{ErrorCode, Page, PageQuery};
use forge_store::tables::{self, ListOrder};
use forge_store::{CursorError, CursorValue, PageCursor};
use serde_json::json;

use crate::error::api_error::ApiError;

const USUAL: u32 = 50;
const MOST: u32 = 200;

/// The number of items per page.
pub(crate) fn page_size(limit: Option<u32>) -> Result<u32, ApiError> {
    let limit = limit.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("The query parameter `limit` must be between 1 and {MOST}.");
    Err(ApiError::new(ErrorCode::InvalidQuery, message)
        .with_details(json!({ "parameter": "limit" })))
}

/// The page that a client asks for, for lists that the database pages.
pub(crate) fn page_request(
    order: ListOrder,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<tables::PageRequest, ApiError> {
    let after = cursor.map(|word| order.cursor(word)).transpose();
    Ok(tables::PageRequest { limit: page_size(limit)?, after: after.map_err(bad_cursor)? })
}

/// A page of a list that the database paged.
pub(crate) fn page_response<R, T>(
    (rows, next): (Vec<R>, Option<PageCursor>),
    convert: impl FnMut(R) -> T,
) -> Page<T> {
    Page {
        items: rows.into_iter().map(convert).collect(),
        next_cursor: next.map(|cursor| cursor.encode()),
    }
}

/// A page of a short list that is loaded whole and only grows at its end, so that positions are stable.
pub(crate) fn page_of_list<T>(items: Vec<T>, query: &PageQuery) -> Result<Page<T>, ApiError> {
    const SORT: &str = "position";
    let limit = page_size(query.limit)? as usize;
    let start = match &query.cursor {
        None => 0,
        Some(word) => position(&PageCursor::decode(word, SORT, 1).map_err(bad_cursor)?)?,
    };
    let end = start.saturating_add(limit);
    let next = (items.len() > end)
        .then(|| i64::try_from(end).ok())
        .flatten()
        .map(|end| PageCursor::new(SORT, [end.into()]).encode());
    Ok(Page { items: items.into_iter().skip(start).take(limit).collect(), next_cursor: next })
}

fn position(cursor: &PageCursor) -> Result<usize, ApiError> {
    match cursor.values() {
        [CursorValue::Int(position)] => {
            usize::try_from(*position).map_err(|_| bad_cursor(CursorError::Malformed))
        }
        _ => Err(bad_cursor(CursorError::Malformed)),
    }
}

fn bad_cursor(error: CursorError) -> ApiError {
    ApiError::new(ErrorCode::InvalidQuery, format!("cursor: {error}"))
        .with_details(json!({ "parameter": "cursor" }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    fn query(limit: u32, cursor: Option<String>) -> PageQuery {
        PageQuery { limit: Some(limit), cursor }
    }

    #[test]
    fn t_2_paging_a_short_list_returns_each_item_once() {
        let list: Vec<u32> = (0..7).collect();
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = page_of_list(list.clone(), &query(3, cursor)).expect("a page");
            seen.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, list);
    }

    #[test]
    fn t_2_a_bad_limit_or_cursor_is_named() {
        for (asked, parameter) in [
            (query(0, None), "limit"),
            (query(201, None), "limit"),
            (query(1, Some("x".to_owned())), "cursor"),
            (query(1, Some(PageCursor::new("position", [(-1).into()]).encode())), "cursor"),
        ] {
            let refused = page_of_list(vec![1], &asked).expect_err("refused");
            assert_eq!(refused.code(), ErrorCode::InvalidQuery);
            assert_eq!(refused.details()["parameter"], parameter);
        }
    }
}
