use std::future::Future;

tokio::task_local! {
    static UNHURRIED: ();
}

/// Does what nobody waits for: short commands that it starts give way to those that somebody waits for.
pub async fn unhurried<F: Future>(work: F) -> F::Output {
    UNHURRIED.scope((), work).await
}

/// Whether nobody waits for what is being done.
pub(crate) fn is_unhurried() -> bool {
    UNHURRIED.try_with(|()| ()).is_ok()
}
