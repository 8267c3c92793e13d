//! Templates for the branch names of a project (SPEC T-24).

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// One template for every kind of task, or one template per kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BranchTemplate {
    /// One template for every kind of task that has a branch.
    One(String),
    /// One template per kind of task.
    ByKind(BranchTemplates),
}

/// One template per kind of task that has a branch; `null` for the kind's default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BranchTemplates {
    /// Template for tasks of a board; default `forge/{number}-{slug}`.
    #[serde(default)]
    pub task: Option<String>,
    /// Template for sessions; default `session/{agent}-{timestamp}`.
    #[serde(default)]
    pub session: Option<String>,
    /// Template for pipeline runs; default `run/{id}`.
    #[serde(default)]
    pub run: Option<String>,
}

impl<'de> Deserialize<'de> for BranchTemplate {
    // Written by hand, so that the table's fields reach serde's struct code and a misspelt field is found.
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(BranchTemplateVisitor)
    }
}

struct BranchTemplateVisitor;

impl<'de> Visitor<'de> for BranchTemplateVisitor {
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
