//! Authentication: passwords, tokens, sessions, links and throttling (SPEC S-6). Nothing is stored here: the store
//! keeps the hashes and records that these types create.

pub(crate) mod bearer;
mod link;
mod password;
mod secret;
mod session;
mod throttle;

pub use crate::auth::bearer::bearer;
pub use crate::auth::link::{LinkError, OneTimeLink};
pub use crate::auth::password::{HashingError, PasswordChecker, PasswordHash, PasswordLengthError};
pub use crate::auth::secret::{RandomnessError, SecretHash, fresh_code, fresh_token};
pub use crate::auth::session::SessionCookie;
pub use crate::auth::throttle::{SignInAttempt, SignInThrottle, ThrottleError};
