//! Methods for the webhooks of a project.

use forge_api::{
    CreatedWebhook, NewWebhook, Page, PageQuery, Webhook, WebhookDelivery, WebhookPatch,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the webhooks of a project.
#[derive(Debug, Clone, Copy)]
pub struct WebhookClient<'a>(pub(crate) &'a ApiClient);

impl WebhookClient<'_> {
    /// Lists the webhooks of a project.
    pub async fn fetch_page(
        self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Webhook>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/webhooks");
        self.0.fetch(call.query(page)?).await
    }

    /// Adds a webhook; only this answer contains its secret.
    pub async fn add(
        self,
        project: Uuid,
        webhook: &NewWebhook,
    ) -> Result<CreatedWebhook, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/webhooks");
        self.0.fetch(call.json(webhook)?).await
    }

    /// Changes a webhook.
    pub async fn change(
        self,
        project: Uuid,
        webhook: Uuid,
        patch: &WebhookPatch,
    ) -> Result<Webhook, ClientError> {
        let call = ApiCall::new(Method::PATCH, "/projects").id(project);
        self.0.fetch(call.part("/webhooks").id(webhook).json(patch)?).await
    }

    /// Removes a webhook.
    pub async fn remove(self, project: Uuid, webhook: Uuid) -> Result<(), ClientError> {
        let call = ApiCall::new(Method::DELETE, "/projects").id(project);
        self.0.perform(call.part("/webhooks").id(webhook)).await
    }

    /// Sends a test; waits for the receiver's answer.
    pub async fn test(self, project: Uuid, webhook: Uuid) -> Result<WebhookDelivery, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/webhooks").id(webhook);
        self.0.fetch(call.part("/test").waits_for_work()).await
    }

    /// Lists the latest deliveries, newest first.
    pub async fn fetch_deliveries(
        self,
        project: Uuid,
        webhook: Uuid,
        page: &PageQuery,
    ) -> Result<Page<WebhookDelivery>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/webhooks").id(webhook);
        self.0.fetch(call.part("/deliveries").query(page)?).await
    }

    /// Sends the event of a delivery again; waits for the receiver's answer.
    pub async fn redeliver(
        self,
        project: Uuid,
        webhook: Uuid,
        number: i64,
    ) -> Result<WebhookDelivery, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/webhooks").id(webhook);
        let number = number.to_string();
        let call = call.part("/deliveries").name(&number).part("/redeliver");
        self.0.fetch(call.waits_for_work()).await
    }
}
