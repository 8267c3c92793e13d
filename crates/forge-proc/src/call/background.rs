use std::future::Future;

tokio::task_local! {
    static BACKGROUND_WORK: ();
}

/// Runs background work: short commands that it starts get a lower priority than commands that a user waits for.
pub async fn run_in_background<F: Future>(work: F) -> F::Output {
    BACKGROUND_WORK.scope((), work).await
}

/// Whether the current task runs background work.
pub(crate) fn is_background() -> bool {
    BACKGROUND_WORK.try_with(|()| ()).is_ok()
}
