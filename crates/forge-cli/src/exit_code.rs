//! Exit codes of the process.

/// Each exit code has its number and its documentation on one line, so that they cannot disagree.
macro_rules! exits {
    ($($variant:ident $code:literal $meaning:literal;)+) => {
        /// Exit code of a command.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum CliExit {
            $(#[doc = $meaning] $variant,)+
        }

        impl CliExit {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub(crate) const fn code(self) -> u8 {
                match self { $(Self::$variant => $code),+ }
            }

            const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),+ }
            }
        }
    };
}

exits! {
    Success 0 "it worked";
    Refused 1 "refused by the rules, or a check found something wrong";
    Usage 2 "invalid command line, file or setting";
    NotFound 3 "not found, or you may not see it";
    Forbidden 4 "not signed in, or not allowed";
    Unreachable 5 "the server cannot be reached";
    ServerFault 6 "the server failed, or sent an unexpected answer";
    NeedsPerson 7 "the task waits for a person (`forge task watch`, `forge merge`)";
    Unsuccessful 8 "the task ended without success (`forge task watch`, `forge merge`)";
    Interrupted 130 "interrupted";
}

/// The text of `forge help exit-codes`.
pub(crate) fn documentation() -> String {
    let mut text = "Exit codes of all commands\n\n".to_owned();
    for exit in CliExit::ALL {
        text.push_str(&format!("{:>5}  {}\n", exit.code(), exit.meaning()));
    }
    text.push_str(
        "\nOn failure standard error has a line `error: … [code]`, and `hint: …` lines that say what to do next; with \
         --json it contains one object {code, message, details, request_id} instead. The codes are those of the HTTP \
         interface; errors of the client have the codes usage, unreachable, bad_answer, local and interrupted.",
    );
    text
}
