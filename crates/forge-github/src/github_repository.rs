use std::fmt;

/// A repository on GitHub, by owner and name; both are safe as parts of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitHubRepository {
    owner: String,
    name: String,
}

impl GitHubRepository {
    /// Parses the path of a URL: `team/shop.git`. `None` if it does not name a repository.
    pub fn of_path(path: &str) -> Option<Self> {
        let path = path.trim_matches('/');
        let (owner, name) = path.split_once('/')?;
        let name = name.strip_suffix(".git").unwrap_or(name);
        let plain = |part: &str| {
            let known = |symbol: char| symbol.is_ascii_alphanumeric() || "-_.".contains(symbol);
            !part.is_empty() && part.chars().all(known) && part.chars().any(|symbol| symbol != '.')
        };
        (plain(owner) && plain(name))
            .then(|| Self { owner: owner.to_owned(), name: name.to_owned() })
    }

    /// The user or organisation that owns it.
    pub fn owner(&self) -> &str {
        &self.owner
    }
}

impl fmt::Display for GitHubRepository {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_16_a_repository_is_an_owner_and_a_name_and_nothing_else() {
        let of = |path| GitHubRepository::of_path(path).map(|found| found.to_string());
        assert_eq!(of("/team/shop.git").as_deref(), Some("team/shop"));
        assert_eq!(of("team/shop.rs/").as_deref(), Some("team/shop.rs"));
        for bad in
            ["", "team", "team/", "/shop", "a/b/c", "../x", "a/..", "a/b?c", "a/b%2f", "a/.git"]
        {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
