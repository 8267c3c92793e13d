//! Methods for the event stream.

use forge_api::EventQuery;

use crate::api_client::ApiClient;
use crate::error::ClientError;
use crate::event::stream::EventStream;

/// Sends the calls about the event stream.
#[derive(Debug, Clone, Copy)]
pub struct EventClient<'a>(pub(crate) &'a ApiClient);

impl EventClient<'_> {
    /// Streams events, starting with those after `query.after`, or with new ones. Returns once the server has
    /// accepted, so that no later event is missed.
    pub async fn follow(self, query: EventQuery) -> Result<EventStream, ClientError> {
        EventStream::open(self.0.clone(), query).await
    }
}
