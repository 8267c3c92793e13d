//! How the process ends.

/// The exit code, its number and its documentation stand on one line each, so they cannot disagree.
macro_rules! exits {
    ($($variant:ident $code:literal $meaning:literal;)+) => {
        /// What the exit code says.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Exit {
            $(#[doc = $meaning] $variant,)+
        }

        impl Exit {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The number.
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
    Usage 2 "the command line, a file or a setting cannot be used";
    NotFound 3 "there is no such thing, or you may not see it";
    Forbidden 4 "not signed in, or not allowed";
    Unreachable 5 "the server cannot be reached";
    ServerFault 6 "the server failed, or answered something odd";
    Interrupted 130 "interrupted";
}

/// What `forge help exit-codes` says.
pub(crate) fn documentation() -> String {
    let mut text = "What the exit code of every command says\n\n".to_owned();
    for exit in Exit::ALL {
        text.push_str(&format!("{:>5}  {}\n", exit.code(), exit.meaning()));
    }
    text.push_str(
        "\nOn failure standard error holds a line `error: … [code]`, and `hint: …` lines that say what to do next; with \
         --json it holds one object {code, message, details, request_id} instead. The codes are those of the HTTP \
         interface; what goes wrong on this side of it has the codes usage, unreachable, bad_answer, local and interrupted.",
    );
    text
}
