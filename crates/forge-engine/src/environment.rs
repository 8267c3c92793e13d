//! What the programs Forge starts may see of the server's environment (E-3).

use std::ffi::{OsStr, OsString};

/// The environment that agents and checks inherit: the server's, without its own settings and secrets, and without
/// anything that would redirect git.
#[derive(Debug, Clone, Default)]
pub struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// Keeps of the given variables what a child may see.
    pub fn from_vars(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(vars.into_iter().filter(|(name, _)| may_pass(name)).collect())
    }

    /// The variables.
    pub fn vars(&self) -> impl Iterator<Item = (OsString, OsString)> + '_ {
        self.0.iter().cloned()
    }
}

fn may_pass(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    // Forge itself pushes with GITHUB_TOKEN; an agent that is to have one gets it by its own configuration.
    let ours = ["FORGE_", "GIT_", "PGPASS"].iter().any(|prefix| name.starts_with(prefix));
    !ours && name != "GITHUB_TOKEN"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_3_the_servers_secrets_and_git_variables_do_not_reach_a_child() {
        let vars = [
            "PATH",
            "HOME",
            "FORGE_BOOTSTRAP_TOKEN",
            "FORGE_DATABASE_URL",
            "GIT_DIR",
            "GIT_SSH_COMMAND",
            "PGPASSWORD",
            "GITHUB_TOKEN",
        ];
        let environment = Environment::from_vars(vars.map(|name| (name.into(), "x".into())));
        let kept: Vec<_> = environment.vars().map(|(name, _)| name).collect();
        assert_eq!(kept, ["PATH", "HOME"]);
    }
}
