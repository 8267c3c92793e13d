//! The loop of the board.

use std::io;
use std::time::Duration;

use crossterm::event::{Event, EventStream, KeyEventKind};
use forge_client::ApiClient;
use futures::StreamExt;
use jiff::Timestamp;
use nix::sys::signal::{Signal as StopSignal, kill};
use nix::unistd::Pid;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::cli_error::CliError;
use crate::commands::board::driver::effect_runner::EffectRunner;
use crate::commands::board::driver::event_feed::feed_events;
use crate::commands::board::driver::terminal_session::TerminalSession;
use crate::commands::board::driver::user_program::UserPrograms;
use crate::commands::board::keys::KeyChord;
use crate::commands::board::state::BoardState;
use crate::commands::board::update::{BoardEffect, BoardEvent};
use crate::environment::ProcessEnvironment;

/// The shortest time between two frames.
const FRAME_TIME: Duration = Duration::from_millis(33);
/// Ages are shown in minutes; one draw in this time keeps them right.
const AGE_TIME: Duration = Duration::from_secs(30);

/// The terminal, the state and everything that changes it.
pub(crate) struct BoardDriver {
    state: BoardState,
    session: TerminalSession,
    runner: EffectRunner,
    programs: UserPrograms,
    events: UnboundedReceiver<BoardEvent>,
    /// Keys; `None` while another program has the terminal.
    input: Option<EventStream>,
    signals: DriverSignals,
    /// Whether the screen shows less than the state.
    is_stale: bool,
}

/// The signals that the board handles, so that the terminal is restored.
struct DriverSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    suspend: Signal,
}

/// Whether the loop continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopStep {
    Continue,
    Quit,
}

impl BoardDriver {
    /// Takes the terminal and starts to follow the server's events.
    pub(crate) fn open(
        mut state: BoardState,
        client: ApiClient,
        environment: &ProcessEnvironment,
    ) -> Result<Self, CliError> {
        let (sender, events) = mpsc::unbounded_channel();
        let project = state.project.id;
        tokio::spawn(feed_events(client.clone(), project, sender.clone()));
        let signals = DriverSignals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            suspend: signal(SignalKind::from_raw(StopSignal::SIGTSTP as i32))?,
        };
        let session = TerminalSession::enter()?;
        state.size = session.size()?;
        Ok(Self {
            state,
            session,
            runner: EffectRunner { client, project, sender },
            programs: UserPrograms::of(environment),
            events,
            input: Some(EventStream::new()),
            signals,
            is_stale: true,
        })
    }

    /// Runs until the user quits, a signal stops the board, or the terminal is gone.
    pub(crate) async fn run(mut self) -> Result<(), CliError> {
        let mut frames = ticks(FRAME_TIME);
        let mut ages = ticks(AGE_TIME);
        loop {
            let input = async {
                match &mut self.input {
                    Some(input) => input.next().await,
                    None => std::future::pending().await,
                }
            };
            let step = tokio::select! {
                event = input => match event {
                    Some(event) => self.take_input(event?).await?,
                    None => return Ok(()),
                },
                Some(event) = self.events.recv() => self.apply(event).await?,
                _ = frames.tick(), if self.is_stale => self.draw()?,
                _ = ages.tick() => {
                    self.is_stale = true;
                    self.apply(BoardEvent::TimePassed(current_time())).await?
                }
                _ = self.signals.suspend.recv() => self.suspend().await?,
                _ = self.signals.interrupt.recv() => return Err(CliError::interrupted()),
                _ = self.signals.terminate.recv() => return Err(CliError::interrupted()),
                // The terminal is gone.
                _ = self.signals.hang_up.recv() => return Ok(()),
            };
            if step == LoopStep::Quit {
                return Ok(());
            }
        }
    }

    fn draw(&mut self) -> io::Result<LoopStep> {
        self.is_stale = false;
        self.session.draw(&self.state)?;
        Ok(LoopStep::Continue)
    }

    async fn take_input(&mut self, event: Event) -> io::Result<LoopStep> {
        let event = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                BoardEvent::KeyPressed(KeyChord::from(key))
            }
            Event::Paste(text) => BoardEvent::Pasted(text),
            Event::Resize(width, height) => BoardEvent::Resized(width, height),
            _ => return Ok(LoopStep::Continue),
        };
        self.apply(event).await
    }

    async fn apply(&mut self, event: BoardEvent) -> io::Result<LoopStep> {
        self.state.now = current_time();
        self.is_stale = true;
        for effect in self.state.update(event) {
            match effect {
                BoardEffect::Quit => return Ok(LoopStep::Quit),
                BoardEffect::Suspend => {
                    self.suspend().await?;
                }
                BoardEffect::Redraw => self.session.clear()?,
                BoardEffect::RingBell => self.session.ring_bell()?,
                BoardEffect::SetTitle(title) => self.session.set_title(&title)?,
                BoardEffect::OpenEditor(path) => {
                    self.leave_terminal();
                    let ended = self.programs.edit(&path).await;
                    self.return_to_terminal(BoardEvent::ProgramEnded(ended)).await?;
                }
                BoardEffect::OpenPager(text) => {
                    self.leave_terminal();
                    let ended = self.programs.show(&text).await;
                    self.return_to_terminal(BoardEvent::ProgramEnded(ended)).await?;
                }
                request => self.runner.start(request),
            }
        }
        Ok(LoopStep::Continue)
    }

    /// Stops the process group, as ^Z does in a program without raw mode. Continues here after `fg`.
    async fn suspend(&mut self) -> io::Result<LoopStep> {
        self.leave_terminal();
        kill(Pid::from_raw(0), StopSignal::SIGSTOP)?;
        self.return_to_terminal(BoardEvent::TimePassed(current_time())).await?;
        Ok(LoopStep::Continue)
    }

    /// Two readers of one terminal would take each other's keys, so the board stops reading first.
    fn leave_terminal(&mut self) {
        self.input = None;
        self.session.leave();
    }

    async fn return_to_terminal(&mut self, event: BoardEvent) -> io::Result<()> {
        self.session.resume()?;
        self.input = Some(EventStream::new());
        // An interrupt meant the other program.
        self.signals.interrupt = signal(SignalKind::interrupt())?;
        let (width, height) = self.session.size()?;
        for event in [event, BoardEvent::Resized(width, height)] {
            self.is_stale = true;
            for effect in self.state.update(event) {
                self.runner.start(effect);
            }
        }
        if !self.state.window_title.is_empty() {
            self.session.set_title(&self.state.window_title)?;
        }
        Ok(())
    }
}

fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The present time, for ages.
#[expect(
    clippy::disallowed_methods,
    reason = "the only clock of the board; its state takes times as events"
)]
pub(crate) fn current_time() -> Timestamp {
    Timestamp::now()
}
