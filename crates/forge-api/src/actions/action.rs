//! An action of the HTTP API.

use crate::actions::action_scope::ActionScope;

/// One action that a caller can perform by a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// Its name for programs, which is also its operation in the OpenAPI document.
    pub name: &'static str,
    /// The method of the request.
    pub method: ActionMethod,
    /// The path below the base path of the API, with the names of its parameters in braces.
    pub path: &'static str,
    /// The callers that may perform it.
    pub scope: ActionScope,
}

/// The method of an action's request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionMethod {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl ActionMethod {
    /// The method as in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

impl Action {
    /// The path with values for its parameters, in their order. The values must be encoded already.
    pub fn path_with(&self, values: &[String]) -> String {
        let mut path = String::with_capacity(self.path.len());
        let mut values = values.iter();
        for part in self.path.split('/').skip(1) {
            let value = if part.starts_with('{') { values.next() } else { None };
            path.push('/');
            path.push_str(value.map_or(part, String::as_str));
        }
        path
    }
}
