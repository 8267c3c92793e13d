//! The `shell` executor: any command as an agent.

use crate::prompt::Prompt;
use crate::turn::Place;
use forge_proc::{Invocation, Spec, Stdin};
use std::time::Duration;

/// The call: argv as configured, the prompt on standard input and in a file.
pub(crate) fn call(
    command: &[String],
    timeout_seconds: Option<u64>,
    prompt: &Prompt,
    place: Place<'_>,
) -> Spec {
    let mut words = command.iter();
    let program = words.next().cloned().unwrap_or_default();
    let invocation = Invocation::new(program, place.directory)
        .args(words.cloned())
        .envs(place.environment)
        .env("FORGE_PROMPT_FILE", place.prompt_file.as_os_str())
        .stdin(Stdin::Bytes(prompt.as_str().as_bytes().to_vec()));
    let spec = Spec::new(invocation, place.mark, place.log).log_cap(place.log_cap);
    match timeout_seconds {
        Some(seconds) => spec.deadline(Duration::from_secs(seconds)),
        None => spec,
    }
}
