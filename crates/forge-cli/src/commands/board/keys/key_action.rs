//! The actions that a key can trigger.

/// A pane with keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPane {
    /// The columns of the board.
    Board,
    /// The page of one task.
    Task,
    /// A log or a diff.
    Text,
}

/// Each action is one row: its name in the configuration, its panes, its default keys and its help.
macro_rules! key_actions {
    ($($variant:ident $name:literal [$($pane:ident)+] [$($key:literal)+] $help:literal;)+) => {
        /// An action that a key triggers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum KeyAction {
            $(#[doc = $help] $variant,)+
        }

        impl KeyAction {
            /// All actions, in the order of the help.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the configuration file.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// What it does, in a few words.
            pub(crate) const fn help(self) -> &'static str {
                match self { $(Self::$variant => $help),+ }
            }

            /// The keys without a configuration file.
            pub(crate) const fn default_keys(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($key),+]),+ }
            }

            /// The panes in which it works.
            pub(crate) const fn panes(self) -> &'static [KeyPane] {
                match self { $(Self::$variant => &[$(KeyPane::$pane),+]),+ }
            }
        }
    };
}

key_actions! {
    NextNeedingYou "next_needing_you" [Board Task] ["n"] "go to the next task that needs you";
    Find "find" [Board Text] ["/"] "find by typing: title, key, branch, agent, state, label";
    Open "open" [Board] ["enter"] "open the task";
    Start "start" [Board Task] ["s"] "start: choose the agent that claims the task";
    Move "move" [Board Task] ["m"] "move the task to another state";
    Stop "stop" [Board Task] ["x"] "stop the execution";
    Steer "steer" [Board Task] ["r"] "reply: send the agent a message";
    Actions "actions" [Board Task] ["a"] "list every action that is possible now";
    NewTask "new_task" [Board] ["c"] "create a task";
    Log "log" [Board Task] ["l"] "show the log of the last execution";
    Diff "diff" [Board Task] ["d"] "show the changes";
    Editor "editor" [Board Task] ["e"] "open the worktree in $VISUAL or $EDITOR";
    Pager "pager" [Text] ["p"] "show it in $PAGER";
    NextMatch "next_match" [Text] ["n"] "go to the next match";
    PreviousMatch "previous_match" [Text] ["N"] "go to the previous match";
    Up "up" [Board Task Text] ["up" "k"] "go up";
    Down "down" [Board Task Text] ["down" "j"] "go down";
    PreviousColumn "previous_column" [Board] ["left" "shift+tab"] "go to the previous column";
    NextColumn "next_column" [Board] ["right" "tab"] "go to the next column";
    PageUp "page_up" [Board Task Text] ["pageup" "ctrl+b"] "go up one page";
    PageDown "page_down" [Board Task Text] ["pagedown" "space" "ctrl+f"] "go down one page";
    First "first" [Board Task Text] ["home" "g"] "go to the first line";
    Last "last" [Board Task Text] ["end" "G"] "go to the last line; follow a log that grows";
    Sort "sort" [Board] ["t"] "sort by priority, or tasks that need you first";
    Reload "reload" [Board Task Text] ["R" "ctrl+l"] "load everything again and redraw";
    Close "close" [Board Task Text] ["esc"] "close what is open; never quits";
    Help "help" [Board Task Text] ["?"] "list the keys";
    Suspend "suspend" [Board Task Text] ["ctrl+z"] "suspend; the shell's fg returns";
    Quit "quit" [Board Task Text] ["q" "ctrl+c"] "quit";
}

impl KeyAction {
    /// The action with this name in the configuration file.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.name() == name)
    }
}
