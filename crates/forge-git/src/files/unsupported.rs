/// The reason why only git can do an operation. Most reasons are no fault, so only the log names them.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unsupported(String);

impl Unsupported {
    pub(crate) fn new(reason: impl std::fmt::Display) -> Self {
        Self(reason.to_string())
    }

    /// The same for a path of a tree.
    pub(crate) fn path(reason: &str, path: &[u8]) -> Self {
        Self(format!("{reason}: {}", String::from_utf8_lossy(path)))
    }
}

impl From<std::io::Error> for Unsupported {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

impl From<rustix::io::Errno> for Unsupported {
    fn from(error: rustix::io::Errno) -> Self {
        Self::new(error)
    }
}

impl From<crate::fs::confined_dir::PathEscapeError> for Unsupported {
    fn from(error: crate::fs::confined_dir::PathEscapeError) -> Self {
        Self::new(error)
    }
}
