//! From what a tool is given to requests of the HTTP API: names become identifiers, and requests are performed in
//! process. A request that is under way when the server crashes behaves like one of any other client.

mod api_requests;
mod name_resolver;

pub(crate) use crate::mcp::request::api_requests::{ApiRequest, ApiRequests};
pub(crate) use crate::mcp::request::name_resolver::{NameResolver, NamedTask};
