//! Errors of the API: `ApiError` is what a handler returns, and the conversion from engine errors gives each refusal
//! its code, message and details (SPEC S-1).
//!
//! An internal error is logged with its cause; the client gets only the request id. Nothing is stored.

pub(crate) mod api_error;
pub(crate) mod engine_error;
