//! The methods of the protocol.

use axum::Router;
use http::request::Parts;
use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    Resource, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;

use crate::app::AppState;
use crate::caller::Caller;
use crate::mcp::caller_session::{CallerSession, ToolReply};
use crate::mcp::request::ApiRequests;
use crate::mcp::tool_catalogue::tools_of;
use crate::mcp::tool_definition::definition;
use crate::mcp::tool_set::ToolSet;
use crate::mcp::{prompts, resources};

/// How long a client may keep the lists, which change only with the version of the server.
const LIST_MILLISECONDS: u64 = 300_000;

/// Methods whose parameters can have a wrong form, which makes them unknown to the protocol library.
const METHODS: [&str; 4] = ["tools/call", "tools/list", "resources/read", "prompts/get"];

/// Answers the methods of the protocol with one set of tools.
#[derive(Debug, Clone)]
pub(crate) struct McpHandler {
    app: AppState,
    api: Router,
    set: ToolSet,
}

impl McpHandler {
    pub(crate) fn new(app: AppState, api: Router, set: ToolSet) -> Self {
        Self { app, api, set }
    }

    /// The caller of a request, which the endpoint has identified.
    fn session(&self, context: &RequestContext<RoleServer>) -> Result<CallerSession, ErrorData> {
        let parts = context.extensions.get::<Parts>();
        let caller = parts.and_then(|parts| parts.extensions.get::<Caller>().cloned());
        let (Some(parts), Some(caller)) = (parts, caller) else {
            return Err(ErrorData::internal_error("The request has no caller.", None));
        };
        Ok(CallerSession {
            app: self.app.clone(),
            caller,
            requests: ApiRequests::new(self.api.clone(), &parts.headers),
            set: self.set,
        })
    }
}

impl ServerHandler for McpHandler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("forge", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.set.instructions())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools_of(self.set).map(definition).collect();
        Ok(ListToolsResult::with_all_items(tools)
            .with_ttl_ms(LIST_MILLISECONDS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = self.session(&context)?;
        let arguments = request.arguments.unwrap_or_default();
        let reply = session.call_tool(request.name.into_owned(), arguments).await;
        Ok(tool_result(reply).into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let found = resources::list(&self.session(&context)?).await;
        Ok(ListResourcesResult::with_all_items(found)
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates())
            .with_ttl_ms(LIST_MILLISECONDS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = resources::read(&self.session(&context)?, &request.uri).await?;
        Ok(read.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list(self.set))
            .with_ttl_ms(LIST_MILLISECONDS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        prompts::get(self.set, &request.name, &arguments).map(Into::into)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if METHODS.contains(&request.method.as_str()) {
            let what =
                format!("The params of {} do not have the form of the protocol.", request.method);
            return Err(ErrorData::invalid_params(what, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

/// The result of a call: the object, the same as text for clients that read only text, and the links.
fn tool_result(reply: ToolReply) -> CallToolResult {
    let mut content = vec![ContentBlock::text(reply.value.to_string())];
    let link = |uri: String, name: String| ContentBlock::ResourceLink(Resource::new(uri, name));
    content.extend(reply.links.into_iter().map(|found| link(found.uri, found.name)));
    let mut result = match reply.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content = Some(reply.value);
    result
}
