//! The OpenAPI 3.1 document, generated from the routes (SPEC S-1).

use std::collections::BTreeSet;

use forge_api::{DiffFormat, ErrorBody, ErrorCode, SortOrder, TaskSort};
use utoipa::ToSchema;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Components};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, OpenApi, Ref, RefOr, Required, ResponseBuilder, Schema,
};

const BEARER: &str = "bearer";
const SESSION: &str = "session";
const FAILURE: &str = "Failure";

/// The groups of operations, in the order of the page.
const TAGS: [(&str, &str); 10] = [
    ("auth", "Signing in, users and tokens."),
    ("projects", "Boards, their repositories and workflows."),
    ("agents", "Named workers that run a coding agent."),
    ("tasks", "The unit of work: create, claim, move, cancel, archive."),
    ("reviews", "Attempts of a task at a gate."),
    ("executions", "Executions of agents and users, and their logs."),
    ("workspaces", "Directories in which executions run, and their changes."),
    ("events", "Events as a durable stream."),
    ("webhooks", "Events posted to a URL of yours."),
    ("system", "The server itself."),
];

/// Completes the document of the routes: title, authentication, and the common error answer of every operation.
pub fn complete_document(mut document: OpenApi) -> OpenApi {
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
    describe_bodies(&mut document);
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

/// Schemas of optional bodies: those that routes read as an `OptionalJsonBody`.
const OPTIONAL_BODIES: [&str; 12] = [
    "CompleteTask",
    "AcceptLanded",
    "ApproveReview",
    "CancelRequest",
    "ClaimRequest",
    "CleanWorkspaces",
    "FailExecution",
    "ForkEntry",
    "RebaseTask",
    "RestartExecution",
    "RestoreEntry",
    "StopExecution",
];

/// Describes what the routes enforce: which bodies are optional, and that unknown fields are refused.
fn describe_bodies(document: &mut OpenApi) {
    let mut open: Vec<String> = Vec::new();
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            let Some(RefOr::T(body)) = &mut operation.request_body else { continue };
            for content in body.content.values_mut() {
                let RefOr::T(content) = content else { continue };
                let Some(schema) = &mut content.schema else { continue };
                let mut names = BTreeSet::new();
                collect_references(schema, &mut names);
                if let Some(name) =
                    names.iter().find(|name| OPTIONAL_BODIES.contains(&name.as_str()))
                {
                    body.required = Some(Required::False);
                    *schema = RefOr::Ref(Ref::from_schema_name(name));
                }
                open.extend(names);
            }
        }
    }
    let Some(components) = &mut document.components else { return };
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !reached.insert(name.clone()) {
            continue;
        }
        let Some(schema) = components.schemas.get_mut(&name) else { continue };
        if let RefOr::T(Schema::Object(object)) = schema
            && !object.properties.is_empty()
        {
            object
                .additional_properties
                .get_or_insert_with(|| Box::new(AdditionalProperties::FreeForm(false)));
        }
        let mut names = BTreeSet::new();
        collect_references(schema, &mut names);
        open.extend(names);
    }
}

/// The names of the schemas that a schema refers to.
fn collect_references(schema: &RefOr<Schema>, names: &mut BTreeSet<String>) {
    let schema = match schema {
        RefOr::Ref(reference) => {
            names.extend(reference.ref_location.rsplit('/').next().map(str::to_owned));
            return;
        }
        RefOr::T(schema) => schema,
    };
    match schema {
        Schema::Object(object) => {
            for property in object.properties.values() {
                collect_references(property, names);
            }
            if let Some(AdditionalProperties::RefOr(values)) =
                object.additional_properties.as_deref()
            {
                collect_references(values, names);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &array.items {
                collect_references(items, names);
            }
        }
        Schema::OneOf(choice) => {
            choice.items.iter().for_each(|item| collect_references(item, names))
        }
        Schema::AllOf(parts) => parts.items.iter().for_each(|item| collect_references(item, names)),
        Schema::AnyOf(choice) => {
            choice.items.iter().for_each(|item| collect_references(item, names))
        }
        _ => {}
    }
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
    // Routes register the types of their bodies, but not types that only occur in a query.
    add_schema::<SortOrder>(components);
    add_schema::<TaskSort>(components);
    add_schema::<DiffFormat>(components);
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorBody::name()))).build();
    let failure = ResponseBuilder::new()
        .description("The request failed; `code` says why and `message` what to do next.")
        .content("application/json", body)
        .build();
    components.responses.insert(FAILURE.to_owned(), failure.into());
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token created with `forge login` or in the settings: `fg_…`."))
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

/// The operations of a path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
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

/// The document as text, the same on every machine.
pub(crate) fn json(document: &OpenApi) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_else(|error| {
        tracing::error!(%error, "failed to serialize the OpenAPI document");
        String::new()
    });
    text.push('\n');
    text
}

/// The document of all routes, as `/api/v1/openapi.json` answers it.
pub fn openapi_json() -> String {
    json(&crate::routes::document())
}
