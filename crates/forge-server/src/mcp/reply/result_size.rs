//! The size of results: a client cuts or refuses what is too large for its model, so a result never is.

use serde_json::{Map, Value, json};

/// The largest result in bytes of JSON: under 8,000 tokens of four bytes, with room for the links.
pub(crate) const LARGEST_RESULT: usize = 28_000;

/// Lengths to which texts are cut, one after the other, until the result fits.
const TEXT_LENGTHS: [usize; 4] = [4_000, 1_000, 250, 60];
/// Numbers of items to which lists are cut after that.
const LIST_LENGTHS: [usize; 4] = [50, 20, 5, 1];

/// The value without empty fields, which cost a reader tokens and say nothing.
pub(crate) fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.into_iter().map(|(name, value)| (name, without_empty(value)));
            Value::Object(kept.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_empty).collect()),
        other => other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    }
}

/// The result, with its longest texts and then its longest lists cut until it fits.
pub(crate) fn fit_result(value: Map<String, Value>) -> Map<String, Value> {
    if size(&value) <= LARGEST_RESULT {
        return value;
    }
    let mut value = Value::Object(value);
    let cuts = TEXT_LENGTHS.map(|length| (length, usize::MAX)).into_iter();
    for (text, list) in cuts.chain(LIST_LENGTHS.map(|length| (60, length))) {
        cut(&mut value, text, list);
        value["cut"] = json!("Texts that end in … and lists with `left_out` are incomplete.");
        if value.as_object().is_some_and(|object| size(object) <= LARGEST_RESULT) {
            break;
        }
    }
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// The size of an object as JSON.
fn size(value: &Map<String, Value>) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

fn cut(value: &mut Value, text_length: usize, list_length: usize) {
    match value {
        Value::String(text) => {
            if let Some(shorter) = cut_text(text, text_length) {
                *text = shorter;
            }
        }
        Value::Array(items) => {
            let left_out = items.len().saturating_sub(list_length);
            items.truncate(list_length);
            items.iter_mut().for_each(|item| cut(item, text_length, list_length));
            if left_out > 0 {
                items.push(json!({ "left_out": left_out }));
            }
        }
        Value::Object(object) => {
            // A cursor that is cut leads nowhere.
            let fields = object.iter_mut().filter(|(name, _)| *name != "next_cursor");
            fields.for_each(|(_, value)| cut(value, text_length, list_length));
        }
        _ => {}
    }
}

/// The start of a text that is longer than this many characters.
pub(crate) fn cut_text(text: &str, characters: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(characters)?;
    text.get(..end).map(|start| format!("{start}…"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn s_3_a_result_that_is_too_large_is_cut_and_says_so() {
        let small = object(json!({ "a": "b", "list": [1, 2] }));
        assert_eq!(fit_result(small.clone()), small);
        for large in [
            json!({ "text": "é".repeat(400_000) }),
            json!({ "items": vec!["word"; 50_000] }),
            json!({ "items": vec![json!({ "text": "x".repeat(900) }); 3_000] }),
        ] {
            let fitted = fit_result(object(large));
            assert!(size(&fitted) <= LARGEST_RESULT, "{}", size(&fitted));
            assert!(fitted["cut"].is_string());
        }
    }

    #[test]
    fn s_3_a_cursor_is_never_cut() {
        let cursor = "c".repeat(500);
        let fitted = fit_result(object(
            json!({ "items": vec!["x".repeat(900); 3_000], "next_cursor": cursor }),
        ));
        assert_eq!(fitted["next_cursor"], json!(cursor));
    }

    #[test]
    fn s_3_empty_fields_are_left_out_of_results() {
        let value = json!({ "a": null, "b": [], "c": { "d": null }, "e": 0, "f": [null, ""] });
        assert_eq!(without_empty(value), json!({ "e": 0, "f": [null, ""] }));
    }
}
