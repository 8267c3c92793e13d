//! The binary in a pseudo-terminal: what a user types, and what the user sees.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use assert_cmd::cargo::CommandCargoExt;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

use crate::cli_fixture::CliFixture;
use crate::forge::search_path;

/// Longer than anything takes on a busy machine; a test that waits for it fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running command with a terminal of its own.
pub(crate) struct PseudoTerminal {
    child: Child,
    keyboard: File,
    /// The command's side; it stays open, so that its settings can be read after the end of the command.
    device: OwnedFd,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything that was written, for sequences that leave no trace on the screen.
    raw: Vec<u8>,
}

impl PseudoTerminal {
    /// Starts a command of the fixture's user in the repository.
    pub(crate) fn start(
        fixture: &CliFixture,
        (columns, rows): (u16, u16),
        arguments: &[&str],
    ) -> Self {
        let control = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&control).expect("granted");
        unlockpt(&control).expect("unlocked");
        let path = ptsname(&control, Vec::new()).expect("a name");
        let path = path.to_str().expect("UTF-8");
        let device = File::options().read(true).write(true).open(path).expect("the other side");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&device, size).expect("a size");
        let side = || device.try_clone().expect("a copy");
        let mut command = Command::cargo_bin("forge").expect("the binary");
        let child = command
            .args(arguments)
            .env_clear()
            .env("HOME", fixture.user.home.path())
            .env("PATH", search_path())
            .env("TERM", "xterm-256color")
            .env("FORGE_URL", fixture.serving.url())
            .env("FORGE_TOKEN", crate::serve::TOKEN)
            .current_dir(&fixture.repo)
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .process_group(0)
            .spawn()
            .expect("it starts");
        let keyboard = File::from(control);
        let mut reader = keyboard.try_clone().expect("a copy");
        let (sender, output) = channel();
        // Ends when the terminal is closed.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let lines = |count| NonZeroU16::new(count).expect("a size");
        let screen = vt100::Parser::new(lines(rows), lines(columns), 0);
        Self { child, keyboard, device: device.into(), output, screen, raw: Vec::new() }
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("typed");
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// What the user sees.
    pub(crate) fn contents(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads output until the condition holds for the screen; the output itself is what it waits for.
    pub(crate) fn wait_for(&mut self, what: &str, condition: impl Fn(&vt100::Screen) -> bool) {
        while !condition(self.screen.screen()) {
            let Ok(bytes) = self.output.recv_timeout(PATIENCE) else {
                panic!("{what} did not come; the screen shows:\n{}", self.contents());
            };
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    /// Reads output until the screen contains a text.
    pub(crate) fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// Whether a sequence was written so far.
    pub(crate) fn has_written(&self, sequence: &str) -> bool {
        self.raw.windows(sequence.len()).any(|part| part == sequence.as_bytes())
    }

    /// Whether the terminal is in the mode of a shell: lines, echo.
    pub(crate) fn is_restored(&self) -> bool {
        use rustix::termios::LocalModes;
        let modes = tcgetattr(&self.device).expect("settings").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    pub(crate) fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits until the command is stopped by a signal.
    pub(crate) fn wait_until_stopped(&self) {
        use rustix::process::{WaitOptions, waitpid};
        let pid = Some(Pid::from_child(&self.child));
        let (_, status) = waitpid(pid, WaitOptions::UNTRACED).expect("it runs").expect("a change");
        assert!(status.stopped(), "{status:?}");
    }

    /// Waits for the end of the command; its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // It has already ended when the test succeeded.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
