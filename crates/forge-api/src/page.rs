//! Keyset-paginated lists (SPEC T-2).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The items of this page, in the list's order.
    pub items: Vec<T>,
    /// Give it back as `cursor` for the next page; `null` on the last one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// Which page of a list that has no other filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many items at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}
