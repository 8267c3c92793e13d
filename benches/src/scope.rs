//! How much is measured.

/// The sizes of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    /// Tasks created over HTTP.
    pub(crate) creates: usize,
    /// Tasks of the small board.
    pub(crate) few: usize,
    /// Tasks of the large board.
    pub(crate) many: usize,
    /// Measurements of each command on each board; two of them must fit on the small one.
    pub(crate) commands: usize,
    /// Starts of the server.
    pub(crate) starts: usize,
    /// Calls of each command line.
    pub(crate) calls: usize,
    /// Files of the repositories whose workspaces are measured.
    files: &'static [usize],
    /// The only one of them that is wanted now.
    pub(crate) only_files: Option<usize>,
    /// Workspaces that are looked at.
    pub(crate) workspaces: usize,
    /// Files of each.
    pub(crate) files_looked_at: usize,
    /// Agents that print all at once, and how many megabytes each.
    pub(crate) chatters: usize,
    pub(crate) chatter_rounds: usize,
    /// How long an agent prints without end.
    pub(crate) flood_seconds: u64,
}

impl Scope {
    /// What the targets are stated for.
    pub(crate) const FULL: Self = Self {
        creates: 20_000,
        few: 100,
        many: 100_000,
        commands: 40,
        starts: 5,
        calls: 20,
        files: &[500, 20_000, 100_000],
        only_files: None,
        workspaces: 24,
        files_looked_at: 20_000,
        chatters: 200,
        chatter_rounds: 20,
        flood_seconds: 30,
    };

    /// To see that everything works.
    pub(crate) const QUICK: Self = Self {
        creates: 3_000,
        few: 100,
        many: 5_000,
        commands: 40,
        starts: 2,
        calls: 20,
        files: &[500, 5_000],
        only_files: None,
        workspaces: 8,
        files_looked_at: 5_000,
        chatters: 20,
        chatter_rounds: 5,
        flood_seconds: 5,
    };

    /// Files of each repository whose workspaces are measured, one after the other.
    pub(crate) fn files(self) -> impl Iterator<Item = usize> {
        let wanted = move |files: &usize| self.only_files.is_none_or(|only| only == *files);
        self.files.iter().copied().filter(wanted)
    }
}
