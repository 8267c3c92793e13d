//! A benchmark that cannot run ends the program; errors are not distinguished.

/// Any error of a benchmark.
pub(crate) type BenchError = Box<dyn std::error::Error + Send + Sync>;
