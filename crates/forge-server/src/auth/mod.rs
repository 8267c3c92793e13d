//! Authentication of requests: the bearer token, the session cookie and the throttling of sign-ins (SPEC S-6). Nothing
//! is stored here: the engine's accounts keep users and credentials.

pub(crate) mod bearer;
mod session;
mod throttle;

pub use crate::auth::bearer::bearer;
pub use crate::auth::session::SessionCookie;
pub use crate::auth::throttle::{SignInAttempt, SignInThrottle, ThrottleError};
