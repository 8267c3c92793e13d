/// Why GitHub gave no answer that can be used. No token is in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitHubError {
    /// This server has no App.
    #[error(
        "an installation is named, but this server has no GitHub App; set github_app_id and github_app_key_file, or remove the installation"
    )]
    NoApp,
    /// GitHub does not let the App do it.
    #[error("GitHub refused ({status}): {message}; check the App's id, key and installation")]
    Refused {
        /// The status.
        status: u16,
        /// Its words.
        message: String,
    },
    /// It cannot be reached, or cannot answer now.
    #[error("GitHub cannot be reached: {0}")]
    Unreachable(String),
    /// It answered something else.
    #[error("GitHub's answer is not understood: {0}")]
    Answer(String),
}

impl GitHubError {
    /// Whether it may work later without anybody's doing.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused { status, .. } => *status == 429 || *status >= 500,
            Self::NoApp | Self::Answer(_) => false,
        }
    }
}
