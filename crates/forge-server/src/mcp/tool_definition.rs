//! Tools as the protocol describes them.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};

use crate::mcp::tool::{ToolEffect, ToolSpec};

/// The definition of a tool in a list.
pub(crate) fn definition(tool: &ToolSpec) -> Tool {
    Tool::new(tool.name.clone(), tool.description.clone(), Arc::new(tool.input()))
        .with_title(tool.title.clone())
        .with_raw_output_schema(Arc::new(tool.output.clone()))
        .with_annotations(annotations(tool.effect))
}

fn annotations(effect: ToolEffect) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match effect {
        ToolEffect::Reads => hints.read_only(true),
        ToolEffect::Adds => hints.read_only(false).destructive(false).idempotent(false),
        ToolEffect::Sets => hints.read_only(false).destructive(false).idempotent(true),
        ToolEffect::Ends => hints.read_only(false).destructive(true).idempotent(true),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;
    use crate::mcp::tool_catalogue::tools_of;
    use crate::mcp::tool_set::ToolSet;

    /// Four bytes of JSON are about one token.
    const BYTES_PER_TOKEN: usize = 4;

    fn list(set: ToolSet) -> String {
        let tools: Vec<_> = tools_of(set).map(definition).collect();
        serde_json::to_string(&tools).expect("JSON")
    }

    #[test]
    fn s_3_the_board_costs_a_model_under_6000_tokens() {
        for (set, tokens) in
            [(ToolSet::Board, 6_000), (ToolSet::Run, 2_500), (ToolSet::Planner, 6_000)]
        {
            let size = list(set).len() / BYTES_PER_TOKEN;
            assert!(size < tokens, "{set:?}: {size} tokens");
        }
    }

    #[test]
    fn s_3_every_tool_has_schemas_annotations_and_a_short_description() {
        for tool in tools_of(ToolSet::All).map(definition) {
            let text = tool.description.as_deref().unwrap_or_default();
            assert!((10..2_048).contains(&text.len()), "{}: {text}", tool.name);
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            let output = tool.output_schema.expect("an output schema");
            assert_eq!(output["type"], "object", "{}", tool.name);
            let hints = tool.annotations.expect("annotations");
            assert!(hints.read_only_hint.is_some() && hints.open_world_hint.is_some());
        }
    }

    #[test]
    fn s_3_lists_have_a_fixed_order() {
        assert_eq!(list(ToolSet::All), list(ToolSet::All));
    }
}
