//! One task: where it is and why, what to do next, its work and its text.

use forge_api::{Execution, ExecutionStatus, Task};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::commands::board::state::{
    BoardState, CardMeaning, TaskCard, TaskDetail, TaskScreen, wrap_words,
};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::commands::board::view::relative_time::relative_age;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::wire_name;

/// Draws a task on the whole screen.
pub(crate) fn render_task(
    state: &BoardState,
    screen: &TaskScreen,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let Some(task) = state.tasks.get(&screen.task) else {
        let gone = "This task is gone, or you may not see it any more; esc goes back.";
        frame.render_widget(Line::styled(gone, theme.dim()), area);
        return;
    };
    let card = state.columns.card(task.id);
    let title = Line::from(vec![
        Span::styled(task.key.clone(), theme.focus()),
        Span::styled(format!("  {}", one_line(&task.title)), theme.bold()),
    ]);
    frame.render_widget(title, Rect { height: 1, ..area });
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area };
    let mut text = TaskText { theme, width: area.width.saturating_sub(2), lines: Vec::new() };
    text.facts(state, task, card, screen.detail.as_deref());
    match &screen.detail {
        None => text.lines.push(Line::styled("  loading…", theme.dim())),
        Some(detail) => text.detail(state, detail),
    }
    if !task.description.is_empty() {
        text.heading("Description");
        text.wrapped("  ", &plain_text(&task.description), theme.plain());
    }
    let last = text.lines.len().saturating_sub(usize::from(body.height));
    let visible = text.lines.into_iter().skip(screen.top.min(last));
    for (line, y) in visible.zip(body.y..body.bottom()) {
        frame.render_widget(line, Rect { y, height: 1, ..body });
    }
}

/// The lines of the screen while they are collected.
struct TaskText {
    theme: BoardTheme,
    width: u16,
    lines: Vec<Line<'static>>,
}

impl TaskText {
    fn heading(&mut self, text: &'static str) {
        self.lines.push(Line::default());
        self.lines.push(Line::styled(text, self.theme.bold()));
    }

    fn fact(&mut self, name: &str, value: impl Into<String>) {
        self.lines.push(Line::from(vec![
            Span::styled(format!("  {name:<10}"), self.theme.dim()),
            Span::raw(value.into()),
        ]));
    }

    fn wrapped(&mut self, indent: &str, text: &str, style: ratatui::style::Style) {
        for line in wrap_words(text, self.width.saturating_sub(2)) {
            self.lines.push(Line::styled(format!("{indent}{line}"), style));
        }
    }

    fn facts(
        &mut self,
        state: &BoardState,
        task: &Task,
        card: Option<&TaskCard>,
        detail: Option<&TaskDetail>,
    ) {
        let theme = self.theme;
        if let Some(card) = card {
            let age = relative_age(state.now, card.since);
            self.lines.push(Line::from(vec![
                Span::styled(
                    format!("{} {}", card.meaning.shape(), card.meaning.word()),
                    theme.meaning(card.meaning),
                ),
                Span::raw(format!(" · {}", card.status)),
                Span::styled(format!(" · {age}"), theme.dim()),
            ]));
        }
        let message = detail.and_then(|detail| detail.waiting.as_ref()).map(|why| &why.message);
        let reason = message.map(|text| plain_text(text)).filter(|text| !text.is_empty());
        let reason = reason.or_else(|| card.map(|card| card.reason.clone()));
        let is_urgent = card.is_some_and(|card| card.needs_person);
        let style = if is_urgent { theme.meaning(CardMeaning::NeedsYou) } else { theme.plain() };
        self.wrapped("  ", &reason.unwrap_or_default(), style);
        self.lines.push(Line::default());
        if let Some(card) = card.filter(|card| !card.holders.is_empty()) {
            self.fact("agent", card.holders.clone());
        }
        if task.priority != 0 {
            self.fact("priority", task.priority.to_string());
        }
        if !task.labels.is_empty() {
            self.fact("labels", one_line(&task.labels.join(", ")));
        }
        if let Some(pull) = &task.pull_request {
            self.fact("pull", format!("#{} {}", pull.number, one_line(&pull.url)));
        }
    }

    fn detail(&mut self, state: &BoardState, detail: &TaskDetail) {
        if let Some(workspace) = &detail.workspace {
            if let Some(branch) = &workspace.branch {
                self.fact("branch", one_line(branch));
            }
            self.fact("worktree", one_line(&workspace.path));
            let ahead = workspace.ahead.unwrap_or_default();
            let behind = workspace.behind.unwrap_or_default();
            let dirty =
                workspace.dirty.map_or(0, |dirty| dirty.staged + dirty.modified + dirty.untracked);
            self.fact(
                "commits",
                format!("{ahead} ahead, {behind} behind, {dirty} files not committed"),
            );
        }
        if let Some(waiting) = &detail.waiting {
            if !waiting.files.is_empty() {
                self.heading("Files");
                for file in &waiting.files {
                    self.lines.push(Line::raw(format!("  {}", one_line(file))));
                }
            }
            if !waiting.next.is_empty() {
                self.heading("Next");
                for step in &waiting.next {
                    self.lines.push(Line::from(vec![
                        Span::raw(format!("  {}  ", one_line(&step.label))),
                        Span::styled(one_line(&step.command), self.theme.dim()),
                    ]));
                }
            }
        }
        if !detail.executions.is_empty() {
            self.heading("Executions");
            for execution in &detail.executions {
                let line = self.execution(state, execution);
                self.lines.push(line);
            }
        }
    }

    fn execution(&self, state: &BoardState, execution: &Execution) -> Line<'static> {
        let agent = state.agents.iter().find(|agent| Some(agent.id) == execution.agent_id);
        let by_me = execution.user_id.is_some() && execution.user_id == state.me;
        let name = match agent {
            Some(agent) => one_line(&agent.name),
            None if by_me => "you".to_owned(),
            None => "a colleague".to_owned(),
        };
        let time = |at: &Option<String>| at.as_deref().and_then(|at| at.parse().ok());
        let (is_over, outcome) = match (execution.status, &execution.outcome) {
            (ExecutionStatus::Finished, Some(outcome)) => {
                (true, wire_name(outcome).replace('_', " "))
            }
            (status, _) => (status == ExecutionStatus::Finished, wire_name(&status)),
        };
        let since = if is_over { &execution.finished_at } else { &execution.started_at };
        let age = relative_age(state.now, time(since));
        let cost = execution.usage.and_then(|usage| usage.cost_micro_usd);
        let cost = cost.map(|cost| format!("  ${:.2}", cost as f64 / 1e6)).unwrap_or_default();
        let role = one_line(&execution.role);
        Line::from(vec![
            Span::raw(format!("  {name:<14} {role:<10} {outcome:<10} ")),
            Span::styled(format!("{age}{cost}"), self.theme.dim()),
        ])
    }
}
