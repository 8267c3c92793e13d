//! Methods for tasks that wait for a person.

use forge_api::{NeedsPerson, NeedsPersonQuery, Page};

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the tasks that wait for a person, longest wait first.
    pub async fn fetch_needs_person(
        &self,
        query: &NeedsPersonQuery,
    ) -> Result<Page<NeedsPerson>, ClientError> {
        self.fetch(ApiCall::get("/needs-person").query(query)?).await
    }
}
