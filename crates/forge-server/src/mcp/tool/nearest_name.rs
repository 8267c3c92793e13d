//! The name that a misspelt one probably means.

/// The most similar of the candidates; `None` if none resembles it.
pub(crate) fn nearest_name<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let given = given.to_lowercase();
    let scored = candidates.into_iter().map(|candidate| (distance(&given, candidate), candidate));
    let (edits, found) = scored.min_by_key(|(edits, _)| *edits)?;
    (edits <= 2.max(given.chars().count() / 2)).then_some(found)
}

/// The number of inserted, removed and replaced characters; 0 or 1 if one name contains the other.
fn distance(given: &str, candidate: &str) -> usize {
    let candidate = candidate.to_lowercase();
    if given.len() > 2 && (candidate.contains(given) || given.contains(&candidate)) {
        return usize::from(given != candidate);
    }
    let letters: Vec<char> = candidate.chars().collect();
    let mut row: Vec<usize> = (0..=letters.len()).collect();
    for (line, letter) in given.chars().enumerate() {
        let mut next = vec![line + 1];
        for (column, other) in letters.iter().enumerate() {
            let replaced =
                row.get(column).copied().unwrap_or(usize::MAX - 1) + usize::from(letter != *other);
            let removed = row.get(column + 1).copied().unwrap_or(usize::MAX - 1) + 1;
            let inserted = next.get(column).copied().unwrap_or(usize::MAX - 1) + 1;
            next.push(replaced.min(removed).min(inserted));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_3_a_misspelt_name_finds_its_nearest_and_a_foreign_one_finds_none() {
        let names = ["title", "description", "priority", "labels"];
        for (given, found) in [
            ("titel", Some("title")),
            ("desc", Some("description")),
            ("Priority", Some("priority")),
            ("label", Some("labels")),
            ("zzzzzz", None),
        ] {
            assert_eq!(nearest_name(given, names), found, "{given}");
        }
    }
}
