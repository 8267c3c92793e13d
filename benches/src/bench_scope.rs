//! The sizes of a benchmark run.

/// How much is measured in a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchScope {
    /// Tasks created over HTTP.
    pub(crate) creates: usize,
    /// Tasks of the small board.
    pub(crate) small_board: usize,
    /// Tasks of the large board.
    pub(crate) large_board: usize,
    /// Tasks of the large board that is searched; `--tasks` overrides it.
    pub(crate) searched: usize,
    /// Measurements of each command on each board; the small board needs two tasks for each.
    pub(crate) commands: usize,
    /// Starts of the server.
    pub(crate) starts: usize,
    /// Calls of each command line.
    pub(crate) calls: usize,
    /// Files of the repositories whose workspaces are measured.
    files: &'static [usize],
    /// The only one of them to measure (`--files`).
    pub(crate) only_files: Option<usize>,
    /// Workspaces whose status is measured.
    pub(crate) workspaces: usize,
    /// Files in each workspace.
    pub(crate) files_looked_at: usize,
    /// Agents that print at the same time, and the megabytes of each.
    pub(crate) printing_agents: usize,
    pub(crate) printing_rounds: usize,
    /// How long an agent prints without end.
    pub(crate) flood_seconds: u64,
}

impl BenchScope {
    /// The sizes that the targets are stated for.
    pub(crate) const FULL: Self = Self {
        creates: 20_000,
        small_board: 100,
        large_board: 100_000,
        searched: 50_000,
        commands: 40,
        starts: 5,
        calls: 20,
        files: &[500, 20_000, 100_000],
        only_files: None,
        workspaces: 24,
        files_looked_at: 20_000,
        printing_agents: 200,
        printing_rounds: 20,
        flood_seconds: 30,
    };

    /// Small sizes, to check that everything works.
    pub(crate) const QUICK: Self = Self {
        creates: 3_000,
        small_board: 100,
        large_board: 5_000,
        searched: 5_000,
        commands: 40,
        starts: 2,
        calls: 20,
        files: &[500, 5_000],
        only_files: None,
        workspaces: 8,
        files_looked_at: 5_000,
        printing_agents: 20,
        printing_rounds: 5,
        flood_seconds: 5,
    };

    /// Files of each repository whose workspaces are measured, one after the other.
    pub(crate) fn files(self) -> impl Iterator<Item = usize> {
        let wanted = move |files: &usize| self.only_files.is_none_or(|only| only == *files);
        self.files.iter().copied().filter(wanted)
    }
}
