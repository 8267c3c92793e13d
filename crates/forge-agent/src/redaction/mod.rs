//! Removes secrets from output before it is stored.
//!
//! `SecretRedactor` replaces known secret values and text with the shape of a token in a stream of bytes, however the
//! stream is split. `SecretPatterns` finds the positions where a secret can begin. `secret_variables` selects the secret
//! values of an environment.
//!
//! The state is in memory only: plain, inside a token, inside a private key. A crash loses the bytes held back; a new
//! redactor starts in the plain state.

mod secret_patterns;
pub(crate) mod secret_redactor;
pub(crate) mod secret_variables;
