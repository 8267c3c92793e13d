//! A user who is not an admin.

use bytes::Bytes;
use http::Method;
use http_body_util::Full;
use hyper::body::Incoming;
use serde_json::{Value, json};

use super::answer::HttpAnswer;
use super::events::EventReader;
use super::server::{API, TestServer};

/// A member with a token.
#[derive(Debug)]
pub struct TestUser<'a> {
    server: &'a TestServer,
    pub id: String,
    pub token: String,
}

impl<'a> TestUser<'a> {
    /// Creates a user without any membership.
    pub async fn new(server: &'a TestServer, name: &str) -> Self {
        let asked = json!({ "name": name, "password": "a long password" });
        let (status, user) = server.post("/users", asked.clone()).await;
        assert_eq!((status, &user["role"]), (201, &json!("member")), "{user}");
        let login = server.stranger(Method::POST, &format!("{API}/auth/login"));
        let signed_in = server.send(login, Some(asked.to_string())).await;
        let cookie = signed_in.header("set-cookie").split(';').next().expect("a cookie").to_owned();
        let request =
            server.stranger(Method::POST, &format!("{API}/tokens")).header("cookie", cookie);
        let made = server.send(request, Some(json!({ "name": "mine" }).to_string())).await;
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        Self { server, id: text(&user["id"]), token: text(&made.json()["secret"]) }
    }

    /// The admin adds the user to a project.
    pub async fn join(&self, project: &str) {
        let path = format!("/projects/{project}/members");
        let (status, member) = self.server.post(&path, json!({ "user_id": self.id })).await;
        assert_eq!((status, &member["user_id"]), (201, &json!(self.id)), "{member}");
    }

    /// The admin removes the user from a project.
    pub async fn leave(&self, project: &str) {
        let path = format!("/projects/{project}/members/{}", self.id);
        assert_eq!(self.server.delete(&path).await.0, 204);
    }

    /// Starts a request of this user; the path is relative to [`API`].
    pub fn request(&self, method: Method, path: &str) -> http::request::Builder {
        self.server
            .stranger(method, &format!("{API}{path}"))
            .header("authorization", format!("Bearer {}", self.token))
    }

    pub async fn get(&self, path: &str) -> HttpAnswer {
        self.server.send(self.request(Method::GET, path), None::<String>).await
    }

    pub async fn post(&self, path: &str, body: Value) -> HttpAnswer {
        self.server.send(self.request(Method::POST, path), Some(body.to_string())).await
    }

    /// The start of an answer that may not end.
    pub async fn begin(&self, method: Method, path: &str) -> http::Response<Incoming> {
        self.begin_with(method, path, String::new()).await
    }

    /// The start of an answer to a request with a body.
    pub async fn begin_with(
        &self,
        method: Method,
        path: &str,
        body: String,
    ) -> http::Response<Incoming> {
        let request = self.request(method, path).header("content-type", "application/json");
        self.server.open(request.body(Full::<Bytes>::from(body)).expect("a request")).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> HttpAnswer {
        self.server.send(self.request(Method::PATCH, path), Some(body.to_string())).await
    }

    /// Opens this user's event stream.
    pub async fn events(&self, query: &str) -> EventReader {
        let response = self.begin(Method::GET, &format!("/events{query}")).await;
        assert_eq!(response.status(), 200);
        EventReader::new(response.into_body())
    }
}
