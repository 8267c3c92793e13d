//! Paginated lists (SPEC T-2).

use forge_api::{Page, PageQuery};

use crate::error::ClientError;

/// Larger pages gain nothing.
const LARGEST_PAGE: usize = 200;

/// Fetches page after page until `at_most` items are there or the list ends. The `next_cursor` of the result says
/// whether and where more follows.
pub async fn collect_pages<T, F>(
    at_most: usize,
    mut fetch: impl FnMut(PageQuery) -> F,
) -> Result<Page<T>, ClientError>
where
    F: Future<Output = Result<Page<T>, ClientError>>,
{
    let mut all = Page { items: Vec::new(), next_cursor: None };
    loop {
        let missing = at_most.saturating_sub(all.items.len());
        let limit = u32::try_from(missing.min(LARGEST_PAGE)).ok();
        let asked = all.next_cursor.take();
        let page = fetch(PageQuery { limit, cursor: asked.clone() }).await?;
        // A list whose cursor points at itself would be read for ever.
        let goes_on = page.next_cursor != asked && !page.items.is_empty();
        all.items.extend(page.items);
        all.next_cursor = page.next_cursor.filter(|_| goes_on);
        if all.next_cursor.is_none() || all.items.len() >= at_most {
            return Ok(all);
        }
    }
}
