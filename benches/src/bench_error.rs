//! A benchmark that cannot run ends the program; nobody tells such errors apart.

/// Whatever went wrong.
pub(crate) type BenchError = Box<dyn std::error::Error + Send + Sync>;
