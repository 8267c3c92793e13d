//! The server's events as events of the board.

use forge_api::EventQuery;
use forge_client::{ApiClient, StreamSignal};
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::board::state::BoardState;
use crate::commands::board::update::BoardEvent;

/// Follows the project's events until the board is closed or the server refuses the stream. A lost connection is
/// reported and continues after the last event.
pub(crate) async fn feed_events(
    client: ApiClient,
    project: Uuid,
    sender: UnboundedSender<BoardEvent>,
) {
    let query =
        EventQuery { project: Some(project), types: Some(BoardState::event_types()), after: None };
    let refused = |error| BoardEvent::ConnectionRefused(CliError::from(error).sentence());
    let mut stream = match client.events().follow(query).await {
        Ok(stream) => stream,
        Err(error) => {
            let _ = sender.send(refused(error));
            return;
        }
    };
    let mut event = BoardEvent::Connected;
    loop {
        // The receiver is gone once the board is closed.
        if sender.send(event).is_err() {
            return;
        }
        event = match stream.next_signal().await {
            Ok(StreamSignal::Event(event)) => BoardEvent::ServerEvent(event),
            Ok(StreamSignal::Lost) => BoardEvent::ConnectionLost,
            Ok(StreamSignal::Restored) => BoardEvent::Connected,
            Err(error) => {
                let _ = sender.send(refused(error));
                return;
            }
        };
    }
}
