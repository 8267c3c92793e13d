//! What an agent has reported about each of its tool calls so far: permission requests and later updates contain only
//! the changes.

use crate::stream::TranscriptEventBody;
use agent_client_protocol::v1::schema::{
    ToolCall, ToolCallContent, ToolCallLocation, ToolCallUpdateFields, ToolKind,
};
use forge_domain::PermissionPolicy;
use serde_json::Value;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The tool calls of one conversation.
#[derive(Debug, Default)]
pub(crate) struct ToolCalls(HashMap<String, KnownCall>);

#[derive(Debug, Default, Clone)]
pub(crate) struct KnownCall {
    kind: Option<ToolKind>,
    name: String,
    input: Value,
    paths: Vec<PathBuf>,
    is_emitted: bool,
}

impl ToolCalls {
    /// Records a call that begins. Returns its event if its input is already complete.
    pub(crate) fn begin(&mut self, call: ToolCall) -> Option<TranscriptEventBody> {
        let id = call.tool_call_id.to_string();
        let known = self.0.entry(id.clone()).or_default();
        known.kind = Some(call.kind);
        known.name = call.name.unwrap_or(call.title);
        known.add_paths(&call.locations, &call.content);
        if let Some(input) = call.raw_input {
            known.input = input;
        }
        if is_empty(&known.input) { None } else { self.emit(&id) }
    }

    /// Adds the fields of an update or a permission request.
    pub(crate) fn update(&mut self, id: &str, fields: &ToolCallUpdateFields) {
        let known = self.0.entry(id.to_owned()).or_default();
        known.kind = fields.kind.or(known.kind);
        if known.name.is_empty()
            && let Some(title) = &fields.title
        {
            known.name.clone_from(title);
        }
        // A later update is more complete: some agents send the input as it grows.
        if let Some(input) = fields.raw_input.as_ref().filter(|input| !is_empty(input)) {
            known.input.clone_from(input);
        }
        let (locations, content) = (fields.locations.as_deref(), fields.content.as_deref());
        known.add_paths(locations.unwrap_or_default(), content.unwrap_or_default());
    }

    /// The event of a call that was not sent yet.
    pub(crate) fn emit(&mut self, id: &str) -> Option<TranscriptEventBody> {
        let known = self.0.get_mut(id).filter(|known| !known.is_emitted)?;
        known.is_emitted = true;
        Some(TranscriptEventBody::ToolCall {
            id: Some(id.to_owned()),
            name: known.name.clone(),
            input: known.input.clone(),
        })
    }

    /// The events of all calls that were not sent yet.
    pub(crate) fn emit_pending(&mut self) -> Vec<TranscriptEventBody> {
        let mut ids: Vec<String> = self.0.keys().cloned().collect();
        ids.sort();
        ids.iter().filter_map(|id| self.emit(id)).collect()
    }

    pub(crate) fn get(&self, id: &str) -> KnownCall {
        self.0.get(id).cloned().unwrap_or_default()
    }
}

impl KnownCall {
    /// The kind of the call; a call without a kind could do anything.
    pub(crate) fn kind(&self) -> ToolKind {
        self.kind.unwrap_or_default()
    }

    /// The event that reports the refusal of the call.
    pub(crate) fn refusal_event(&self, id: &str, policy: PermissionPolicy) -> TranscriptEventBody {
        let reason = format!("the policy {policy} does not allow it");
        TranscriptEventBody::refused(Some(id), &self.name, &self.input, &reason)
    }

    /// Whether the policy allows the call.
    pub(crate) fn is_allowed(&self, policy: PermissionPolicy, directory: &Path) -> bool {
        let kind = self.kind();
        let reads =
            matches!(kind, ToolKind::Read | ToolKind::Search | ToolKind::Think | ToolKind::Fetch);
        let writes = matches!(kind, ToolKind::Edit | ToolKind::Delete | ToolKind::Move);
        match policy {
            PermissionPolicy::Plan => reads,
            PermissionPolicy::Edit => reads || (writes && self.is_inside(directory)),
            PermissionPolicy::Full => true,
        }
    }

    /// Whether all paths of the call are inside the directory; a call without paths could touch any file.
    fn is_inside(&self, directory: &Path) -> bool {
        let Some(root) = resolve_symlinks(directory) else { return false };
        let is_inside = |place: &PathBuf| {
            resolve_symlinks(&directory.join(place)).is_some_and(|place| place.starts_with(&root))
        };
        !self.paths.is_empty() && self.paths.iter().all(is_inside)
    }

    fn add_paths(&mut self, locations: &[ToolCallLocation], content: &[ToolCallContent]) {
        let named = locations.iter().map(|location| location.path.clone());
        let changed = content.iter().filter_map(|content| match content {
            ToolCallContent::Diff(diff) => Some(diff.path.clone()),
            _ => None,
        });
        for place in named.chain(changed) {
            if !self.paths.contains(&place) {
                self.paths.push(place);
            }
        }
    }
}

/// The path with all symlinks resolved; its last components need not exist. `None` where it cannot be known: a path
/// with `..`, or a dangling symlink.
fn resolve_symlinks(path: &Path) -> Option<PathBuf> {
    if path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    let (mut existing, mut missing) = (path, Vec::new());
    loop {
        match existing.canonicalize() {
            Ok(real) => {
                return Some(missing.into_iter().rev().fold(real, |at, part| at.join(part)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if existing.symlink_metadata().is_ok() {
                    return None;
                }
                missing.push(existing.file_name()?);
                existing = existing.parent()?;
            }
            Err(_) => return None,
        }
    }
}

/// Whether the agent has not reported the input yet.
fn is_empty(input: &Value) -> bool {
    match input {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn call(kind: Option<ToolKind>, places: &[&Path]) -> KnownCall {
        let places = places.iter().map(|place| place.to_path_buf()).collect();
        KnownCall { kind, paths: places, ..KnownCall::default() }
    }

    #[test]
    fn e_1_a_policy_decides_by_kind_and_path() {
        let here = Path::new("/desk/tree");
        let allowed = |policy, kind, place: &str| {
            call(Some(kind), &[Path::new(place)]).is_allowed(policy, here)
        };
        assert!(allowed(PermissionPolicy::Plan, ToolKind::Read, "/etc/hosts"));
        assert!(!allowed(PermissionPolicy::Plan, ToolKind::Edit, "/desk/tree/a"));
        assert!(allowed(PermissionPolicy::Edit, ToolKind::Edit, "/desk/tree/a"));
        assert!(allowed(PermissionPolicy::Edit, ToolKind::Edit, "sub/a"));
        assert!(!allowed(PermissionPolicy::Edit, ToolKind::Edit, "/desk/tree/../other/a"));
        assert!(!allowed(PermissionPolicy::Edit, ToolKind::Delete, "/desk/other/a"));
        assert!(!allowed(PermissionPolicy::Edit, ToolKind::Edit, "/desk/treehouse/a"));
        assert!(!allowed(PermissionPolicy::Edit, ToolKind::Execute, "/desk/tree"));
        assert!(!call(None, &[Path::new("/desk/tree/a")]).is_allowed(PermissionPolicy::Edit, here));
        assert!(allowed(PermissionPolicy::Full, ToolKind::Execute, "/"));
    }

    #[test]
    fn issue_13_10_an_edit_without_a_path_or_through_a_symlink_is_refused() {
        let scene = tempfile::tempdir().expect("a directory");
        let (tree, outside) = (scene.path().join("tree"), scene.path().join("outside"));
        std::fs::create_dir_all(tree.join("sub")).expect("a directory");
        std::fs::create_dir_all(&outside).expect("a directory");
        std::os::unix::fs::symlink(&outside, tree.join("way-out")).expect("a link");
        std::os::unix::fs::symlink(outside.join("later"), tree.join("nowhere")).expect("a link");
        std::os::unix::fs::symlink(tree.join("sub"), tree.join("way-in")).expect("a link");
        let edit = |places: &[&Path]| {
            call(Some(ToolKind::Edit), places).is_allowed(PermissionPolicy::Edit, &tree)
        };
        assert!(edit(&[&tree.join("new/file")]));
        assert!(edit(&[&tree.join("way-in/file")]));
        assert!(!edit(&[]), "it could be anywhere");
        assert!(!edit(&[&tree.join("way-out/file")]));
        assert!(!edit(&[&tree.join("nowhere")]));
        assert!(!edit(&[&tree.join("a"), &outside.join("a")]), "one of them is outside");
    }
}
