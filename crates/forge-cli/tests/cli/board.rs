//! `forge board` in a pseudo-terminal, with the real server (SPEC S-4, F-6).

use rustix::process::Signal;

use crate::cli_fixture::CliFixture;
use crate::pseudo_terminal::PseudoTerminal;
use crate::serve::TOKEN;

const SIZE: (u16, u16) = (120, 30);

fn open_board(fixture: &CliFixture) -> PseudoTerminal {
    let mut board = PseudoTerminal::start(fixture, SIZE, &["board"]);
    board.wait_for_text("live");
    board
}

/// Column of the screen at which a text starts.
fn column_of(screen: &vt100::Screen, text: &str) -> Option<usize> {
    screen.contents().lines().find_map(|line| {
        let at = line.find(text)?;
        Some(line[..at].chars().count())
    })
}

#[test]
fn s_4_a_card_that_is_moved_here_moves_in_another_terminal() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Expire idle sessions"]);
    let (mut mine, mut theirs) = (open_board(&fixture), open_board(&fixture));
    for board in [&mut mine, &mut theirs] {
        board.wait_for("the card", |screen| column_of(screen, "Expire idle").is_some());
    }
    let before = column_of(theirs.screen(), "Expire idle").expect("a card");
    mine.press("m");
    mine.wait_for_text("Move T-1 from");
    mine.press("todo\r");
    theirs.wait_for("the card in the next column", |screen| {
        column_of(screen, "Expire idle").is_some_and(|now| now > before)
    });
    mine.wait_for_text("moved to todo");
    mine.press("q");
    assert_eq!(mine.wait(), Some(0));
    assert!(mine.is_restored(), "the shell has its terminal back");
    theirs.send(Signal::TERM);
    assert_eq!(theirs.wait(), Some(130));
    assert!(theirs.is_restored());
    fixture.stop();
}

#[test]
fn s_4_a_task_is_created_found_started_and_read_in_the_board() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "echo made by ada; echo x > made.txt");
    let mut board = open_board(&fixture);
    board.wait_for_text("No tasks yet.");
    board.press("cAdd a file\r");
    board.wait_for_text("T-1 created");
    board.press("m");
    board.wait_for_text("Move T-1 from");
    board.press("todo\r");
    board.wait_for_text("moved to todo");
    board.press("s");
    board.wait_for_text("choose the agent");
    board.press("ada\r");
    board.wait_for_text("started with ada");
    fixture.wait_until_passed("T-1");
    board.wait_for_text("passed");
    board.press("n\r");
    board.wait_for_text("Executions");
    board.press("l");
    board.wait_for_text("made by ada");
    board.press("\x1b");
    board.wait_for_text("Executions");
    board.press("d");
    board.wait_for_text("+x");
    board.press("q");
    assert_eq!(board.wait(), Some(0));
    fixture.stop();
}

#[test]
fn s_4_a_restarted_server_is_reconnected_under_an_open_board() {
    let mut fixture = CliFixture::start_with(&[]);
    fixture.run(&["init"]);
    fixture.run(&["task", "new", "Before"]);
    let address = fixture.serving.url().trim_start_matches("http://").to_owned();
    let mut board = open_board(&fixture);
    board.wait_for_text("Before");
    fixture.serving.restart_at(&address, &[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    fixture.run(&["task", "new", "Afterwards"]);
    board.wait_for_text("Afterwards");
    board.wait_for_text("live");
    assert!(board.has_written("reconnecting"), "the user is told");
    board.press("q");
    assert_eq!(board.wait(), Some(0));
    fixture.stop();
}

#[test]
fn s_4_a_suspended_board_gives_the_terminal_back_and_returns() {
    let fixture = CliFixture::with_project();
    let mut board = open_board(&fixture);
    board.press("\x1a");
    board.wait_until_stopped();
    assert!(board.is_restored());
    board.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    board.send(Signal::CONT);
    board.wait_for("the board's screen", vt100::Screen::alternate_screen);
    board.wait_for_text("live");
    board.press("q");
    assert_eq!(board.wait(), Some(0));
    assert!(board.is_restored());
    fixture.stop();
}

#[test]
fn s_4_a_wrong_file_is_reported_before_the_terminal_changes() {
    let fixture = CliFixture::with_project();
    let dir = fixture.user.home.path().join(".config/forge");
    std::fs::create_dir_all(&dir).expect("made");
    let file = dir.join("board.toml");
    std::fs::write(&file, "bell = true\n[keys]\nleave = \"q\"\n").expect("written");
    let mut board = PseudoTerminal::start(&fixture, (200, 30), &["board"]);
    board.wait_for_text("board.toml, line 3: there is no action `leave`");
    assert_eq!(board.wait(), Some(2));
    assert!(!board.has_written("\x1b[?1049h"), "no alternate screen");
    std::fs::write(&file, "[keys]\nquit = \"f10\"\n").expect("written");
    let mut board = open_board(&fixture);
    board.press("q\x1b[21~");
    assert_eq!(board.wait(), Some(0));
    let piped = fixture.fail(2, &["board"]);
    assert!(piped.err.contains("needs a terminal"), "{piped:?}");
    fixture.stop();
}
