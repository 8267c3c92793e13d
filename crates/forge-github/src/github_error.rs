/// Why GitHub gave no usable answer. It contains no token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitHubError {
    /// This server has no GitHub App.
    #[error(
        "an installation is named, but this server has no GitHub App; set github_app_id and github_app_key_file, or remove the installation"
    )]
    NoApp,
    /// GitHub refused the request.
    #[error("GitHub refused ({status}): {message}; {}", next_step(*status))]
    Refused { status: u16, message: String },
    /// The rate limit is reached.
    #[error("GitHub's rate limit is reached: {0}")]
    RateLimited(String),
    /// GitHub cannot be reached, or cannot answer now.
    #[error("GitHub cannot be reached: {0}")]
    Unreachable(String),
    /// The answer has an unexpected form.
    #[error("GitHub sent an unexpected answer: {0}")]
    UnexpectedAnswer(String),
}

impl GitHubError {
    /// Whether a retry may succeed without any change.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::RateLimited(_) => true,
            Self::Refused { status, .. } => *status >= 500,
            Self::NoApp | Self::UnexpectedAnswer(_) => false,
        }
    }

    /// What a user can do about it.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NoApp => "set github_app_id and github_app_key_file, or remove the installation",
            Self::Refused { status, .. } => next_step(*status),
            Self::RateLimited(_) | Self::Unreachable(_) => "nothing: Forge retries by itself",
            Self::UnexpectedAnswer(_) => "check github_api_url",
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
        500.. => "nothing: Forge retries by itself",
        _ => "check the token, or the App's id, key and installation",
    }
}
