//! Every operation, with every identifier it takes, as a member of another project (S-6). The operations and their
//! fields come from the OpenAPI document, so a new operation is covered automatically.

use forge_server::openapi::openapi_json;
use http::Method;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::board::{Board, text};
use super::support::{TestServer, TestUser};

/// An identifier without an object.
const UNKNOWN: &str = "00000000-0000-4000-8000-00000000dead";
/// Part of every name in the hidden project; no answer to an outsider may contain it.
const HIDDEN: &str = "Hush";

/// Operations that refuse all members, whatever object they name.
const ADMINS: [&str; 2] =
    ["POST /projects/{id}/repos/{repo}/config/accept", "DELETE /projects/{id}"];

/// The kind of object that an identifier names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdentifierKind {
    Project,
    Task,
    Execution,
    Review,
    Repo,
    Agent,
    Comment,
    Webhook,
    Token,
    /// Known to every signed-in user.
    User,
    /// Not a row of this server.
    Outside,
}

/// The position of an identifier in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
enum IdentifierPosition {
    Path(String),
    Query(String),
    /// The path from the top of the body; `*` is a name that the client chooses, `[]` an element.
    Body(Vec<String>),
}

struct Operation {
    method: Method,
    path: String,
    body: Option<Value>,
    ids: Vec<(IdentifierPosition, IdentifierKind)>,
}

fn kind(path: &str, place: &IdentifierPosition) -> IdentifierKind {
    let name = match place {
        IdentifierPosition::Path(name) | IdentifierPosition::Query(name) => name.as_str(),
        IdentifierPosition::Body(steps) => match steps.iter().rev().find(|step| *step != "[]") {
            Some(name) => name.as_str(),
            None => "",
        },
    };
    let before = match place {
        IdentifierPosition::Path(_) => {
            let parts: Vec<_> = path.split('/').collect();
            let at = parts.iter().position(|part| *part == format!("{{{name}}}"));
            at.and_then(|at| parts.get(at - 1)).copied().unwrap_or_default()
        }
        IdentifierPosition::Query(_) | IdentifierPosition::Body(_) => "",
    };
    match (before, name) {
        ("projects" | "demo", _) | ("", "project" | "project_id") => IdentifierKind::Project,
        ("tasks" | "dependencies", _) => IdentifierKind::Task,
        ("", "depends_on_id" | "dependencies" | "parent") => IdentifierKind::Task,
        ("executions", _) => IdentifierKind::Execution,
        ("reviews", _) => IdentifierKind::Review,
        ("repos", _) | ("", "repo_id") => IdentifierKind::Repo,
        ("agents", _) | ("", "agent" | "agent_id" | "fallback") => IdentifierKind::Agent,
        ("", "parent_id") => IdentifierKind::Comment,
        ("webhooks", _) => IdentifierKind::Webhook,
        ("tokens", _) => IdentifierKind::Token,
        ("users" | "members", _) | ("", "user_id") => IdentifierKind::User,
        ("", "installation_id" | "github_installation_id") => IdentifierKind::Outside,
        (before, name) => panic!("{path}: say here what {name} after {before:?} names"),
    }
}

struct Description(Value);

impl Description {
    fn load() -> Self {
        Self(serde_json::from_str(&openapi_json()).expect("JSON"))
    }

    fn schema<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let Some(name) = schema["$ref"].as_str() else { return schema };
        let name = name.rsplit('/').next().expect("a name");
        self.schema(&self.0["components"]["schemas"][name])
    }

    /// The smallest valid value.
    fn example(&self, schema: &Value) -> Value {
        let schema = self.schema(schema);
        for choice in ["oneOf", "anyOf", "allOf"] {
            if let Some(first) = schema[choice].as_array().and_then(|all| all.first()) {
                return self.example(first);
            }
        }
        if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
            return first.clone();
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[0].clone(),
            kind => kind.clone(),
        };
        match kind.as_str() {
            Some("string") if schema["format"] == "uuid" => json!(UNKNOWN),
            Some("string") => json!("word"),
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(false),
            Some("array") => json!([]),
            _ => {
                let required = schema["required"].as_array().cloned().unwrap_or_default();
                let fields = required.iter().map(text);
                let fields = fields.map(|name| {
                    let value = match name.as_str() {
                        "executor" => json!({ "kind": "shell", "command": ["true"] }),
                        _ => self.example(&schema["properties"][&name]),
                    };
                    (name, value)
                });
                Value::Object(fields.collect())
            }
        }
    }

    fn body_ids(&self, schema: &Value, steps: &[String], found: &mut Vec<Vec<String>>) {
        if steps.len() > 6 {
            return;
        }
        let schema = self.schema(schema);
        let name = steps.iter().rev().find(|step| *step != "[]" && *step != "*");
        let named = name.is_some_and(|name| name == "id" || name.ends_with("_id"));
        let is_leaf = schema["properties"].is_null() && schema["items"].is_null();
        if schema["format"] == "uuid" || (named && is_leaf && schema["oneOf"].is_null()) {
            if !found.contains(&steps.to_vec()) {
                found.push(steps.to_vec());
            }
            return;
        }
        let with = |step: &str| [steps, &[step.to_owned()]].concat();
        for choice in ["oneOf", "anyOf", "allOf"] {
            for part in schema[choice].as_array().into_iter().flatten() {
                self.body_ids(part, steps, found);
            }
        }
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            self.body_ids(field, &with(name), found);
        }
        if !schema["items"].is_null() {
            self.body_ids(&schema["items"], &with("[]"), found);
        }
        if schema["additionalProperties"].is_object() {
            self.body_ids(&schema["additionalProperties"], &with("*"), found);
        }
    }

    fn operations(&self) -> Vec<Operation> {
        let mut all = Vec::new();
        for (path, item) in self.0["paths"].as_object().expect("paths") {
            let path = path.strip_prefix("/api/v1").expect("below the base");
            let methods = item.as_object().expect("an item").iter();
            for (method, operation) in methods.filter(|(name, _)| *name != "parameters") {
                let mut places = Vec::new();
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    let name = text(&parameter["name"]);
                    let schema = self.schema(&parameter["schema"]);
                    let id = schema["format"] == "uuid" || name == "id" || name.ends_with("_id");
                    match parameter["in"].as_str() {
                        Some("path") if id => places.push(IdentifierPosition::Path(name)),
                        Some("query") if id => places.push(IdentifierPosition::Query(name)),
                        _ => {}
                    }
                }
                let content = &operation["requestBody"]["content"]["application/json"]["schema"];
                let body = (!content.is_null()).then(|| self.example(content));
                let mut in_body = Vec::new();
                self.body_ids(content, &[], &mut in_body);
                places.extend(in_body.into_iter().map(IdentifierPosition::Body));
                let ids = places.into_iter().map(|place| (place.clone(), kind(path, &place)));
                all.push(Operation {
                    method: method.to_uppercase().parse().expect("a method"),
                    path: path.to_owned(),
                    body,
                    ids: ids.collect(),
                });
            }
        }
        all
    }
}

/// One row of each kind in one project.
struct Rows {
    project: String,
    task: String,
    execution: String,
    review: String,
    repo: String,
    agent: String,
    comment: String,
    webhook: String,
    token: String,
}

impl Rows {
    async fn make(board: &Board, project: String, name: &str) -> Self {
        let executor = json!({ "kind": "shell", "command": ["sh", "-ec", "echo done > done.txt"] });
        let asked = json!({ "name": name, "executor": executor, "project_id": project });
        let agent = text(&board.created("/agents", asked).await["id"]);
        let tasks = format!("/projects/{project}/tasks");
        let task = text(&board.created(&tasks, json!({ "title": name })).await["id"]);
        board.claim(&task, &agent).await;
        board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
        board.quiet(&task).await;
        let first = async |path: String| text(&board.items(&path).await[0]["id"]);
        let asked = json!({ "body": name });
        let comment = board.created(&format!("/tasks/{task}/comments"), asked).await;
        // No program listens there.
        let asked = json!({ "url": "http://127.0.0.1:1/", "name": name });
        let webhook = board.created(&format!("/projects/{project}/webhooks"), asked).await;
        let token = board.created("/tokens", json!({ "name": name })).await;
        Self {
            execution: first(format!("/tasks/{task}/executions")).await,
            review: first(format!("/tasks/{task}/reviews")).await,
            repo: first(format!("/projects/{project}/repos")).await,
            comment: text(&comment["id"]),
            webhook: text(&webhook["webhook"]["id"]),
            token: text(&token["token"]["id"]),
            project,
            task,
            agent,
        }
    }

    fn id(&self, kind: IdentifierKind) -> &str {
        match kind {
            IdentifierKind::Project => &self.project,
            IdentifierKind::Task => &self.task,
            IdentifierKind::Execution => &self.execution,
            IdentifierKind::Review => &self.review,
            IdentifierKind::Repo => &self.repo,
            IdentifierKind::Agent => &self.agent,
            IdentifierKind::Comment => &self.comment,
            IdentifierKind::Webhook => &self.webhook,
            IdentifierKind::Token => &self.token,
            IdentifierKind::User | IdentifierKind::Outside => UNKNOWN,
        }
    }
}

/// A server on which a webhook to this machine can be added.
async fn server() -> TestServer {
    TestServer::start_with(&[("FORGE_PRIVATE_HOSTS", "127.0.0.1")]).await
}

fn set(body: &mut Value, steps: &[String], id: &str) {
    let Some((step, rest)) = steps.split_first() else {
        *body = json!(id);
        return;
    };
    match step.as_str() {
        "[]" => {
            *body = json!([null]);
            set(&mut body[0], rest, id);
        }
        "*" => set(&mut body["coder"], rest, id),
        name => {
            // Of several ways to name a holder, use this one.
            if rest.is_empty() && ["agent_id", "user_id"].contains(&name) {
                *body = json!({});
            }
            set(&mut body[name], rest, id);
        }
    }
}

/// Sends the operation with one identifier replaced; returns the status and the text of the answer.
async fn sent(
    person: &TestUser<'_>,
    operation: &Operation,
    own: &Rows,
    (place, id): (&IdentifierPosition, &str),
) -> (u16, Value) {
    let mut path = operation.path.clone();
    for (other, kind) in &operation.ids {
        if let IdentifierPosition::Path(name) = other {
            let id = if other == place { id } else { own.id(*kind) };
            path = path.replace(&format!("{{{name}}}"), id);
        }
    }
    for (name, value) in [("{number}", "1"), ("{attempt}", "1"), ("{role}", "coder")] {
        path = path.replace(name, value);
    }
    assert!(!path.contains('{'), "{path}: say here what its parameters are to be");
    if let IdentifierPosition::Query(name) = place {
        path = format!("{path}?{name}={id}");
    }
    let mut body = operation.body.clone();
    if let Some(body) = &mut body {
        if operation.path == "/agents" {
            // Members cannot change agents of the server, wherever the identifier is.
            body["project_id"] = json!(own.project);
        }
        if let IdentifierPosition::Body(steps) = place {
            set(body, steps, id);
        }
    }
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let answer = person.begin_with(operation.method.clone(), &path, body).await;
    let status = answer.status().as_u16();
    let kind = answer.headers().get("content-type").cloned();
    let streams = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    assert!(!streams, "{} {path} streams to a stranger", operation.method);
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    let said = String::from_utf8_lossy(&bytes).replace(id, "ID");
    let mut said: Value = serde_json::from_str(&said).unwrap_or(json!(said));
    if let Some(fields) = said.as_object_mut() {
        fields.remove("request_id");
    }
    (status, said)
}

#[tokio::test]
async fn issue_13_06_no_operation_accepts_an_identifier_of_another_project() {
    let board = Board::on(server().await, json!({ "name": format!("{HIDDEN} board") })).await;
    let hidden = Rows::make(&board, board.project.clone(), &format!("{HIDDEN} row")).await;
    let settings = json!({ "members_may_define_commands": true });
    let asked = json!({ "name": "Own", "settings": settings });
    let own = text(&board.created("/projects", asked).await["id"]);
    let repository = board.server.repository_named("own").await;
    board.created(&format!("/projects/{own}/repos"), json!({ "path": repository.path() })).await;
    let own = Rows::make(&board, own, "own row").await;
    let person = TestUser::new(&board.server, "Out").await;
    person.join(&own.project).await;

    let mut state = Vec::new();
    let reads = [
        format!("/projects/{}", hidden.project),
        format!("/tasks/{}", hidden.task),
        format!("/tasks/{}/comments", hidden.task),
        format!("/agents/{}", hidden.agent),
        format!("/projects/{}/repos", hidden.project),
        format!("/projects/{}/members", hidden.project),
        "/tokens".to_owned(),
    ];
    for path in &reads {
        state.push(board.read(path).await);
    }

    let mut tried = Vec::new();
    for operation in Description::load().operations() {
        for (place, kind) in &operation.ids {
            if [IdentifierKind::User, IdentifierKind::Outside].contains(kind) {
                continue;
            }
            let route = format!("{} {}", operation.method, operation.path);
            let told = format!("{route} {place:?}");
            let foreign = sent(&person, &operation, &own, (place, hidden.id(*kind))).await;
            let unknown = sent(&person, &operation, &own, (place, UNKNOWN)).await;
            assert_eq!(foreign, unknown, "{told}: another project's is told from none at all");
            let filters =
                matches!(place, IdentifierPosition::Query(_)) && operation.method == Method::GET;
            let expected: &[u16] = match kind {
                IdentifierKind::Comment => &[422],
                // Only an admin may do it, whatever the object.
                _ if ADMINS.contains(&route.as_str()) => &[403, 404],
                _ if filters => &[200, 404],
                // Removing a missing dependency succeeds.
                _ if operation.path.ends_with("/dependencies/{other}") => &[204, 404],
                _ => &[404],
            };
            assert!(expected.contains(&foreign.0), "{told}: {foreign:?}");
            assert!(!foreign.1.to_string().contains(HIDDEN), "{told}: {foreign:?}");
            tried.push(told);
        }
    }
    assert!(tried.len() > 80, "{}", tried.len());
    for needed in ["POST /agents", "POST /projects/{id}/tasks", "POST /tasks/{id}/claim"] {
        let in_body = |told: &&String| told.starts_with(needed) && told.contains("Body");
        assert!(tried.iter().any(|told| in_body(&told)), "{needed}: {tried:#?}");
    }
    for (path, before) in reads.iter().zip(&state) {
        assert_eq!(&board.read(path).await, before, "{path} is as it was");
    }
}

/// Lists and reads without an identifier do not reveal it either.
#[tokio::test]
async fn issue_13_06_no_list_reveals_another_project() {
    let board = Board::on(server().await, json!({ "name": format!("{HIDDEN} board") })).await;
    Rows::make(&board, board.project.clone(), &format!("{HIDDEN} row")).await;
    let person = TestUser::new(&board.server, "Out").await;
    let own = board.other_project("Own").await;
    person.join(&own).await;
    let data = board.server.directory().display().to_string();
    for operation in Description::load().operations() {
        let readable = operation.method == Method::GET && !operation.path.contains('{');
        if !readable || operation.path == "/events" {
            continue;
        }
        let answer = person.get(&operation.path).await;
        assert!(!answer.text.contains(HIDDEN), "{}: {}", operation.path, answer.text);
        assert!(!answer.text.contains(&data), "{}: {}", operation.path, answer.text);
    }
}
