//! Compiled workflows by hash. A definition is immutable, so its compiled form is too.

use crate::command::errors::EngineError;
use forge_domain::workflow::{Workflow, WorkflowDefinition, WorkflowHash};
use forge_store::{Db, Tx, tables};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The workflows compiled so far; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkflowCache(Arc<RwLock<HashMap<WorkflowHash, Arc<Workflow>>>>);

impl WorkflowCache {
    /// The workflow of a hash, inside a transaction.
    pub(crate) async fn load_in(
        &self,
        tx: &mut Tx,
        hash: &WorkflowHash,
    ) -> Result<Arc<Workflow>, EngineError> {
        if let Some(known) = self.known(hash) {
            return Ok(known);
        }
        let text = tables::workflows::load_in(tx, hash).await?;
        self.compile(hash, text)
    }

    /// The workflow of a hash.
    pub(crate) async fn load(
        &self,
        db: &Db,
        hash: &WorkflowHash,
    ) -> Result<Arc<Workflow>, EngineError> {
        if let Some(known) = self.known(hash) {
            return Ok(known);
        }
        let text = tables::workflows::load(db, hash).await?;
        self.compile(hash, text)
    }

    fn known(&self, hash: &WorkflowHash) -> Option<Arc<Workflow>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }

    fn compile(
        &self,
        hash: &WorkflowHash,
        text: Option<String>,
    ) -> Result<Arc<Workflow>, EngineError> {
        let text =
            text.ok_or_else(|| EngineError::NotFound { noun: "workflow", id: hash.to_string() })?;
        let definition: WorkflowDefinition = serde_json::from_str(&text)
            .map_err(|error| EngineError::Corrupt(format!("workflow {hash}: {error}")))?;
        let workflow = Arc::new(Workflow::compile(definition)?);
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(hash.clone(), workflow.clone());
        Ok(workflow)
    }
}
