//! The terminal while the board has it.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::Once;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    SetTitle, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

use crate::commands::board::state::BoardState;
use crate::commands::board::view::render_board;

/// Asks the terminal to remember its title, and to restore it. Terminals without a stack of titles ignore both.
const SAVE_TITLE: &[u8] = b"\x1b[22;2t";
const RESTORE_TITLE: &[u8] = b"\x1b[23;2t";

static PANIC_HOOK: Once = Once::new();

/// The terminal in raw mode on its alternate screen. It is restored when this is dropped, and before the message of
/// a panic.
pub(crate) struct TerminalSession {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    is_entered: bool,
}

impl TerminalSession {
    pub(crate) fn enter() -> io::Result<Self> {
        PANIC_HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                report(panic);
            }));
        });
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        let mut session = Self { terminal: Terminal::new(backend)?, is_entered: false };
        session.resume()?;
        Ok(session)
    }

    /// Takes the terminal, at the start and after [`TerminalSession::leave`].
    pub(crate) fn resume(&mut self) -> io::Result<()> {
        self.is_entered = true;
        enable_raw_mode()?;
        let writer = self.terminal.backend_mut();
        writer.write_all(SAVE_TITLE)?;
        execute!(writer, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        self.clear()
    }

    /// Gives the terminal back, for another program or a suspension.
    pub(crate) fn leave(&mut self) {
        if std::mem::take(&mut self.is_entered) {
            restore();
        }
    }

    /// Clears the screen, so that the next frame draws everything. Unlike `Terminal::clear` this does not ask the
    /// terminal for its cursor, which would compete with the reader of keys.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let (width, height) = size()?;
        self.terminal.resize(Rect::new(0, 0, width, height))
    }

    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        size()
    }

    /// Draws one frame; the terminal shows it at once.
    pub(crate) fn draw(&mut self, state: &BoardState) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| render_board(state, frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    pub(crate) fn set_title(&mut self, title: &str) -> io::Result<()> {
        let plain: String = title.chars().filter(|letter| !letter.is_control()).collect();
        execute!(self.terminal.backend_mut(), SetTitle(plain))
    }

    pub(crate) fn ring_bell(&mut self) -> io::Result<()> {
        let writer = self.terminal.backend_mut();
        writer.write_all(b"\x07")?;
        Write::flush(writer)
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        self.leave();
    }
}

/// If the terminal is gone, there is nothing to restore, so errors do not matter.
fn restore() {
    let mut stdout = io::stdout();
    let _ =
        execute!(stdout, EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, Show);
    let _ = stdout.write_all(RESTORE_TITLE);
    let _ = stdout.flush();
    let _ = disable_raw_mode();
}
