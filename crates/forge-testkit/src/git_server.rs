//! A git server over HTTP that requires a password: a thin layer over git's own `http-backend`.

use crate::test_repository::{TestRepository, search_path};
use forge_proc::{CaptureLimits, ProgramInvocation, StdinSource, capture};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

/// How the server answers pushes and other requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GitServerBehavior {
    /// Answers as git servers do.
    #[default]
    Normal,
    /// Accepts a push and closes the connection before it answers.
    DropsAfterPush,
    /// Never answers any request.
    Silent,
    /// Answers with status 503.
    Unavailable,
    /// Redirects every request.
    Redirects,
    /// Repeats the credentials in its refusal.
    EchoesCredentials,
}

#[derive(Debug)]
struct GitServerState {
    root: PathBuf,
    name: String,
    secret: String,
    behavior: Mutex<GitServerBehavior>,
    pushes: Mutex<u32>,
    /// Arguments and environments of the machine's processes at every push.
    observed_processes: Mutex<Vec<u8>>,
}

/// A running server with one bare repository, `hub.git` unless another name is given. Dropping it stops the server.
#[derive(Debug)]
pub struct GitServer {
    state: Arc<GitServerState>,
    address: std::net::SocketAddr,
    _serving: AbortOnDropHandle<()>,
}

impl GitServer {
    /// Serves a bare copy of a repository, protected by the password.
    pub async fn start(directory: &Path, of: &TestRepository, secret: &str) -> Self {
        Self::start_as(directory, of, secret, "hub.git").await
    }

    /// The same under another repository name.
    pub async fn start_as(directory: &Path, of: &TestRepository, secret: &str, name: &str) -> Self {
        std::fs::create_dir_all(directory).expect("a directory");
        let hub = directory.join(name);
        of.git(&["clone", "--quiet", "--bare", ".", hub.to_str().expect("text")]).await;
        let state = Arc::new(GitServerState {
            root: directory.to_owned(),
            name: name.to_owned(),
            secret: secret.to_owned(),
            behavior: Mutex::default(),
            pushes: Mutex::default(),
            observed_processes: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::clone(&state);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                tokio::spawn(async move {
                    let service =
                        service_fn(move |request| handle_request(Arc::clone(&state), request));
                    let connection = hyper::server::conn::http1::Builder::new();
                    // Some tests want a connection that ends with an error.
                    connection.serve_connection(TokioIo::new(stream), service).await.ok();
                });
            }
        });
        Self { state, address, _serving: AbortOnDropHandle::new(serving) }
    }

    /// The URL of its repository.
    pub fn url(&self) -> String {
        format!("http://{}/{}", self.address, self.state.name)
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The password as encoded in the Authorization header, without the scheme.
    pub fn encoded_secret(&self) -> String {
        base64(&format!("x-access-token:{}", self.state.secret))
    }

    /// The server's repository, for assertions and for pushes by other clients.
    pub fn hub(&self) -> TestRepository {
        TestRepository::open(&self.state.root.join(&self.state.name))
    }

    pub fn set_behavior(&self, manner: GitServerBehavior) {
        *self.state.behavior.lock().expect("no holder panics") = manner;
    }

    /// How many pushes were attempted.
    pub fn pushes(&self) -> u32 {
        *self.state.pushes.lock().expect("no holder panics")
    }

    /// The arguments and environments of all other processes at the time of the pushes.
    pub fn observed_processes(&self) -> Vec<u8> {
        self.state.observed_processes.lock().expect("no holder panics").clone()
    }

    /// Refuses every push with this message.
    pub fn protect(&self, words: &str) {
        use std::os::unix::fs::PermissionsExt;
        let hook = self.hub().path().join("hooks/pre-receive");
        std::fs::create_dir_all(hook.parent().expect("a directory")).expect("made");
        std::fs::write(&hook, format!("#!/bin/sh\necho '{words}' >&2\nexit 1\n")).expect("written");
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("set");
    }

    /// Accepts pushes again.
    pub fn unprotect(&self) {
        std::fs::remove_file(self.hub().path().join("hooks/pre-receive"))
            .expect("it was protected");
    }
}

type GitServerAnswer = Response<Full<Bytes>>;

async fn handle_request(
    state: Arc<GitServerState>,
    request: Request<Incoming>,
) -> Result<GitServerAnswer, std::io::Error> {
    let manner = *state.behavior.lock().expect("no holder panics");
    let told = request.headers().get(header::AUTHORIZATION);
    let told = told.and_then(|told| told.to_str().ok()).unwrap_or_default().to_owned();
    let is_push = request.method() == "POST" && request.uri().path().ends_with("/git-receive-pack");
    match manner {
        GitServerBehavior::Silent => std::future::pending::<()>().await,
        GitServerBehavior::Unavailable => {
            return Ok(plain_answer(StatusCode::SERVICE_UNAVAILABLE, "later"));
        }
        GitServerBehavior::Redirects => {
            let mut answer = plain_answer(StatusCode::MOVED_PERMANENTLY, "elsewhere");
            let place = header::HeaderValue::from_static("http://127.0.0.1:9/hub.git");
            answer.headers_mut().insert(header::LOCATION, place);
            return Ok(answer);
        }
        GitServerBehavior::EchoesCredentials if !told.is_empty() => {
            let secret = &state.secret;
            return Ok(plain_answer(StatusCode::FORBIDDEN, &format!("no: {secret} ({told})")));
        }
        _ => {}
    }
    let wanted = format!("Basic {}", base64(&format!("x-access-token:{}", state.secret)));
    if told != wanted {
        let mut answer = plain_answer(StatusCode::UNAUTHORIZED, "who are you?");
        let how = header::HeaderValue::from_static("Basic realm=\"hub\"");
        answer.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        return Ok(answer);
    }
    if is_push {
        *state.pushes.lock().expect("no holder panics") += 1;
        let processes = read_processes();
        state.observed_processes.lock().expect("no holder panics").extend(processes);
    }
    let answer = run_backend(&state, request).await;
    if is_push && manner == GitServerBehavior::DropsAfterPush {
        // An error here closes the connection without an answer.
        return Err(std::io::Error::other("hanging up"));
    }
    Ok(answer)
}

fn plain_answer(status: StatusCode, text: &str) -> GitServerAnswer {
    let mut answer = Response::new(Full::from(text.to_owned()));
    *answer.status_mut() = status;
    let kind = header::HeaderValue::from_static("text/plain");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

async fn run_backend(state: &GitServerState, request: Request<Incoming>) -> GitServerAnswer {
    let (head, body) = request.into_parts();
    let body = body.collect().await.expect("the request comes through").to_bytes();
    let named = |name: &str| {
        let value = head.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let call = ProgramInvocation::new("git", &state.root)
        .arg("http-backend")
        .env("PATH", search_path())
        .env("HOME", &state.root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_PROJECT_ROOT", &state.root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_USER", "test-user")
        .env("REQUEST_METHOD", head.method.as_str())
        .env("PATH_INFO", head.uri.path())
        .env("QUERY_STRING", head.uri.query().unwrap_or_default())
        .env("CONTENT_TYPE", named("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", named("content-encoding"))
        .env("GIT_PROTOCOL", named("git-protocol"))
        .stdin(StdinSource::Bytes(body.to_vec()));
    let limits =
        CaptureLimits { stdout: 64 << 20, stderr: 1 << 20, deadline: Duration::from_secs(60) };
    let done = capture(call, limits).await.expect("git can be started");
    let split = done.stdout.windows(4).position(|part| part == b"\r\n\r\n").expect("a CGI answer");
    let (lines, content) = done.stdout.split_at(split);
    let mut answer = Response::new(Full::from(content[4..].to_vec()));
    for line in String::from_utf8_lossy(lines).lines() {
        let (name, value) = line.split_once(": ").expect("a header");
        if name == "Status" {
            let code = value.split(' ').next().and_then(|code| code.parse().ok());
            *answer.status_mut() = code.expect("a status");
        } else {
            let name: header::HeaderName = name.parse().expect("a name");
            answer.headers_mut().insert(name, value.parse().expect("a value"));
        }
    }
    answer
}

/// Arguments and environments of all other processes.
fn read_processes() -> Vec<u8> {
    let mut found = Vec::new();
    let own = std::process::id().to_string();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.parse::<u32>().is_ok() && name != own {
            for file in ["cmdline", "environ"] {
                found.extend(std::fs::read(entry.path().join(file)).unwrap_or_default());
                found.push(b'\n');
            }
        }
    }
    found
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut coded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let group = (0..3).fold(0_usize, |group, place| {
            group << 8 | usize::from(chunk.get(place).copied().unwrap_or_default())
        });
        for place in 0..4 {
            let digit = DIGITS[group >> (18 - 6 * place) & 63];
            coded.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    coded
}
