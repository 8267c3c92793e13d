//! Binds a handler to the action that it performs.

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter};
use forge_api::actions::{Action, ActionMethod, AllowedCallers};
use utoipa::openapi::path::{HttpMethod, Paths};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::app::AppState;
use crate::caller::require_scope;
use crate::openapi;
use crate::routes::API;

/// A handler, its action, and its description. Path, method, name and scope come from the action.
pub(crate) struct ActionRoute {
    action: &'static Action,
    handler: MethodRouter<AppState>,
    described: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
}

/// The routes of these actions: `action_routes![GET_TASK => show]`.
macro_rules! action_routes {
    ($($action:ident => $handler:ident),+ $(,)?) => {
        vec![$($crate::routes::action_route::ActionRoute::new(
            &forge_api::actions::$action,
            |method| axum::routing::on(method, $handler),
            utoipa_axum::routes!($handler),
        )),+]
    };
}
pub(crate) use action_routes;

impl ActionRoute {
    /// A handler with the description of its `#[utoipa::path]`.
    pub(crate) fn new(
        action: &'static Action,
        handler: impl FnOnce(MethodFilter) -> MethodRouter<AppState>,
        (schemas, described, _): UtoipaMethodRouter<AppState>,
    ) -> Self {
        Self { action, handler: handler(method_filter(action.method)), described, schemas }
    }

    /// The action that the handler performs.
    #[cfg(test)]
    pub(crate) fn action(&self) -> &'static Action {
        self.action
    }

    /// Methods and paths of the handler's description.
    #[cfg(test)]
    pub(crate) fn described_routes(&self) -> Vec<(String, String)> {
        let mut routes = Vec::new();
        for (path, item) in &self.described.paths {
            let methods = [
                ("GET", &item.get),
                ("POST", &item.post),
                ("PUT", &item.put),
                ("PATCH", &item.patch),
                ("DELETE", &item.delete),
                ("HEAD", &item.head),
                ("OPTIONS", &item.options),
                ("TRACE", &item.trace),
            ];
            let described = methods.into_iter().filter(|(_, operation)| operation.is_some());
            routes.extend(described.map(|(method, _)| (method.to_owned(), path.clone())));
        }
        routes
    }

    /// Whether it needs no credential.
    pub(crate) fn is_public(&self) -> bool {
        self.action.scope.callers == AllowedCallers::Public
    }

    /// Mounts the handler behind the check of its scope.
    pub(crate) fn mount(self, router: Router<AppState>, app: &AppState) -> Router<AppState> {
        let handler = match self.is_public() {
            true => self.handler,
            false => require_scope(self.handler, self.action.scope, app),
        };
        router.route(&format!("{API}{}", self.action.path), handler)
    }

    /// Adds the operation to the OpenAPI document.
    pub(crate) fn describe(self, document: &mut OpenApi) {
        let is_public = self.is_public();
        let method = http_method(self.action.method);
        for mut item in self.described.paths.into_values() {
            for operation in openapi::operations(&mut item) {
                operation.operation_id = Some(self.action.name.to_owned());
                if is_public {
                    operation.security = Some(vec![SecurityRequirement::default()]);
                }
                let path = format!("{API}{}", self.action.path);
                document.paths.add_path_operation(path, vec![method.clone()], operation.clone());
            }
        }
        document.components.get_or_insert_default().schemas.extend(self.schemas);
    }
}

fn method_filter(method: ActionMethod) -> MethodFilter {
    match method {
        ActionMethod::Get => MethodFilter::GET,
        ActionMethod::Post => MethodFilter::POST,
        ActionMethod::Put => MethodFilter::PUT,
        ActionMethod::Patch => MethodFilter::PATCH,
        ActionMethod::Delete => MethodFilter::DELETE,
    }
}

fn http_method(method: ActionMethod) -> HttpMethod {
    match method {
        ActionMethod::Get => HttpMethod::Get,
        ActionMethod::Post => HttpMethod::Post,
        ActionMethod::Put => HttpMethod::Put,
        ActionMethod::Patch => HttpMethod::Patch,
        ActionMethod::Delete => HttpMethod::Delete,
    }
}
