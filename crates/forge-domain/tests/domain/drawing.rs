//! F-7: the drawings show every state and every edge.

use crate::support::definition;
use forge_domain::workflow::{StateDefinition, TEMPLATES};

/// All edges as written: field and target.
fn edges(state: &StateDefinition) -> Vec<(&'static str, &str)> {
    let named = [
        ("claim_target", &state.claim_target),
        ("done", &state.done),
        ("failed", &state.failed),
        ("pass", &state.pass),
        ("reject", &state.reject),
        ("exhausted", &state.exhausted),
        ("merged", &state.merged),
        ("conflict", &state.conflict),
        ("rejected", &state.rejected),
    ];
    let mut edges: Vec<_> = named
        .into_iter()
        .filter_map(|(field, target)| target.as_deref().map(|target| (field, target)))
        .collect();
    edges.extend(state.manual.iter().map(|target| ("manual", target.as_str())));
    edges
}

#[test]
fn f_7_the_text_names_every_state_and_edge_of_every_template() {
    for (template, _) in TEMPLATES {
        let definition = definition(template);
        let text = definition.as_text();
        let mut lines = text.lines();
        for state in &definition.state {
            let head = lines.next().expect("a line for the state");
            assert!(head.starts_with(&format!("{} [", state.name)), "{template}: {head}");
            assert_eq!(head.contains("(initial)"), state.name == definition.initial, "{head}");
            for (field, target) in edges(state) {
                let line = lines.next().expect("a line for the edge");
                let words: Vec<_> = line.split_whitespace().collect();
                assert_eq!(words, [field, "→", target], "{template}");
            }
        }
        assert_eq!(lines.next(), None, "{template}: nothing else is drawn");
    }
}

#[test]
fn f_7_the_mermaid_graph_has_every_state_and_edge_of_every_template() {
    for (template, _) in TEMPLATES {
        let definition = definition(template);
        let graph = definition.as_mermaid();
        assert!(graph.starts_with("flowchart"), "{template}");
        let index = |name: &str| {
            definition.state.iter().position(|state| state.name == name).expect("it is there")
        };
        let mut count = 1;
        for (i, state) in definition.state.iter().enumerate() {
            assert!(graph.contains(&format!("\"{}\"", state.name)), "{template}: {}", state.name);
            count += 1;
            for (field, target) in edges(state) {
                let arrow = if field == "manual" { "-.->" } else { "-->" };
                let line = format!("  s{i} {arrow}|{field}| s{}\n", index(target));
                assert!(graph.contains(&line), "{template}: {line}");
                count += 1;
            }
        }
        assert_eq!(graph.lines().count(), count, "{template}: nothing else is drawn");
    }
}
