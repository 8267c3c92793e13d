//! How a project's branches are named (SPEC T-24).

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// One template for every kind of task, or a table with one for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BranchTemplate {
    /// For every kind that has a branch.
    One(String),
    /// By kind.
    ByKind(BranchTemplates),
}

/// A template for each kind of task that has a branch; `null` for the kind's default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BranchTemplates {
    /// Of a board's tasks: `forge/{number}-{slug}`.
    #[serde(default)]
    pub task: Option<String>,
    /// Of sessions: `session/{agent}-{timestamp}`.
    #[serde(default)]
    pub session: Option<String>,
    /// Of pipeline runs: `run/{id}`.
    #[serde(default)]
    pub run: Option<String>,
}

impl<'de> Deserialize<'de> for BranchTemplate {
    // By hand, so that the table's fields reach serde's struct code and a misspelt one is found.
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = BranchTemplate;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a template, or a table of templates by kind of task")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<BranchTemplate, E> {
        Ok(BranchTemplate::One(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BranchTemplate, A::Error> {
        let table = BranchTemplates::deserialize(MapAccessDeserializer::new(map))?;
        Ok(BranchTemplate::ByKind(table))
    }
}
