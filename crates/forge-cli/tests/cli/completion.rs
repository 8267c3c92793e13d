//! Shell completion (SPEC S-4).

use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;

/// What the script of bash gets for a command line whose last word is being completed.
fn complete(user: &CliUser, dir: &std::path::Path, words: &[&str]) -> String {
    let mut command = user.command();
    let index = (words.len() - 1).to_string();
    command.env("FORGE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index);
    command.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "true");
    command.env("_CLAP_IFS", "\n").current_dir(dir).args(["--"]).args(words);
    let output = command.output().expect("it runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn s_4_the_shell_completes_names_of_the_server() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "true");
    fixture.run(&["task", "new", "First"]);
    fixture.run(&["task", "new", "Second"]);
    let complete = |words: &[&str]| complete(&fixture.user, &fixture.repo, words);
    let tasks = complete(&["forge", "task", "show", "T-"]);
    assert_eq!(tasks.lines().collect::<Vec<_>>(), ["T-2", "T-1"], "latest first");
    assert_eq!(complete(&["forge", "task", "claim", "T-1", "--agent", "a"]), "ada");
    assert_eq!(complete(&["forge", "why", "T-1", "--project", "w"]), "widget");
    assert_eq!(complete(&["forge", "task", "move", "T-1", "mergi"]), "merging");
    assert!(complete(&["forge", "tas"]).contains("task"));
    fixture.stop();
}

#[test]
fn s_4_completion_is_silent_without_a_server() {
    let user = CliUser::at("http://127.0.0.1:1");
    let home = user.home.path().to_owned();
    assert_eq!(complete(&user, &home, &["forge", "task", "show", "T-"]), "");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = user.run(&["completions", shell]);
        assert!(script.code == 0 && script.out.contains("FORGE_COMPLETE"), "{shell}: {script:?}");
    }
}
