/// Why GitHub gave no answer that can be used. No token is in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitHubError {
    /// This server has no App.
    #[error(
        "an installation is named, but this server has no GitHub App; set github_app_id and github_app_key_file, or remove the installation"
    )]
    NoApp,
    /// GitHub does not let us do it.
    #[error("GitHub refused ({status}): {message}; {}", next_step(*status))]
    Refused {
        /// The status.
        status: u16,
        /// Its words.
        message: String,
    },
    /// Too much was asked lately.
    #[error("GitHub answers no more questions for now (its rate limit): {0}")]
    Limited(String),
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
            Self::Unreachable(_) | Self::Limited(_) => true,
            Self::Refused { status, .. } => *status >= 500,
            Self::NoApp | Self::Answer(_) => false,
        }
    }

    /// What a person can do about it.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NoApp => "set github_app_id and github_app_key_file, or remove the installation",
            Self::Refused { status, .. } => next_step(*status),
            Self::Limited(_) | Self::Unreachable(_) => "nothing: it is tried again",
            Self::Answer(_) => "check github_api_url",
        }
    }
}

fn next_step(status: u16) -> &'static str {
    match status {
        401 => "check the token, or the App's id, key and installation",
        403 => {
            "give the token or the App the permissions Contents and Pull requests (read and write), Checks and Commit statuses (read)"
        }
        404 => {
            "check the repository's address, and that the token or the App's installation covers it"
        }
        422 => "see what it says about the branch and the pull request there",
        500.. => "nothing: it is tried again",
        _ => "check the token, or the App's id, key and installation",
    }
}
