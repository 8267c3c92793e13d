//! The description of the API: OpenAPI 3.1, generated from the routes (SPEC S-1).

use forge_api::{DiffFormat, ErrorBody, ErrorCode, SortOrder, TaskSort};
use utoipa::ToSchema;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::Components;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{ContentBuilder, InfoBuilder, OpenApi, Ref, RefOr, ResponseBuilder};

const BEARER: &str = "bearer";
const SESSION: &str = "session";
const FAILURE: &str = "Failure";

/// The groups that operations name, in the order of the page.
const TAGS: [(&str, &str); 9] = [
    ("auth", "Signing in, users and tokens."),
    ("projects", "Boards, their repositories and workflows."),
    ("agents", "Named workers that run a coding agent."),
    ("tasks", "The unit of work: create, claim, move, cancel, archive."),
    ("reviews", "Attempts of a task at a gate."),
    ("executions", "Runs of agents, and their logs."),
    ("workspaces", "Where a task's executions run, and what they changed."),
    ("events", "What happened, as a durable stream."),
    ("system", "The server itself."),
];

/// Completes what the routes describe: who we are, how to authenticate, and that every operation can fail in one way.
pub fn complete(mut document: OpenApi) -> OpenApi {
    document.info = InfoBuilder::new()
        .title("Forge")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(description()))
        .build();
    document.tags = Some(
        TAGS.iter()
            .map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build())
            .collect(),
    );
    document.security = Some(vec![requirement(BEARER), requirement(SESSION)]);
    add_components(document.components.get_or_insert_default());
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            operation
                .responses
                .responses
                .entry("default".to_owned())
                .or_insert_with(|| RefOr::Ref(Ref::from_response_name(FAILURE)));
        }
    }
    document
}

fn requirement(scheme: &str) -> SecurityRequirement {
    SecurityRequirement::new(scheme, [""; 0])
}

fn description() -> String {
    let mut text = "Runs many coding agents on git repositories and lands their work safely.\n\n\
                    Every error has the same body. Its codes are a closed list:\n\n\
                    | code | status | meaning |\n|---|---|---|\n"
        .to_owned();
    for code in ErrorCode::ALL {
        let row = format!("| `{code}` | {} | {} |\n", code.status(), code.hint());
        text.push_str(&row);
    }
    text
}

fn add_components(components: &mut Components) {
    add_schema::<ErrorBody>(components);
    // Routes bring the types of their bodies along, but not those that only occur in a query.
    add_schema::<SortOrder>(components);
    add_schema::<TaskSort>(components);
    add_schema::<DiffFormat>(components);
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorBody::name()))).build();
    let failure = ResponseBuilder::new()
        .description("It did not work; `code` says why and `message` what to do next.")
        .content("application/json", body)
        .build();
    components.responses.insert(FAILURE.to_owned(), failure.into());
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token made with `forge login` or in the settings: `fg_…`."))
        .build();
    let session =
        ApiKeyValue::with_description("forge_session", "The browser's session; set by signing in.");
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    components.add_security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(session)));
}

fn add_schema<T: ToSchema>(components: &mut Components) {
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    components.schemas.extend(schemas);
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.delete,
        &mut item.patch,
        &mut item.options,
        &mut item.head,
    ]
    .into_iter()
    .filter_map(Option::as_mut)
}

/// A description as text, the same on every machine.
pub(crate) fn json(document: &OpenApi) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_else(|error| {
        tracing::error!(%error, "the description of the API cannot be written");
        String::new()
    });
    text.push('\n');
    text
}

/// The description of all routes, as `/api/v1/openapi.json` answers it.
pub fn openapi_json() -> String {
    json(&crate::routes::document())
}
