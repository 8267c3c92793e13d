//! Who the caller is (SPEC S-6). Nothing here is stored: the store keeps the hashes and records these types make.

mod bearer;
mod link;
mod password;
mod secret;
mod session;
mod throttle;

pub use bearer::bearer;
pub use link::{Link, LinkRefused};
pub use password::{HashingFailed, PasswordHash, PasswordTooShort, Passwords};
pub use secret::{NoRandomness, SecretHash, fresh_code, fresh_token};
pub use session::SessionCookie;
pub use throttle::{Attempt, Throttle, Throttled};
