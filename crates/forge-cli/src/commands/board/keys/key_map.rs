//! The keys of each action, after the user's changes.

use std::collections::BTreeMap;

use crate::commands::board::keys::key_action::{KeyAction, KeyPane};
use crate::commands::board::keys::key_chord::KeyChord;

/// The keys of every action.
#[derive(Debug, Clone)]
pub(crate) struct KeyMap {
    keys: BTreeMap<KeyAction, Vec<KeyChord>>,
}

impl Default for KeyMap {
    fn default() -> Self {
        Self::with_changes(BTreeMap::new())
    }
}

impl KeyMap {
    /// The default keys, with the user's changes. A key that the user gives to one action is taken from the default
    /// keys of the others in the same pane.
    pub(crate) fn with_changes(changes: BTreeMap<KeyAction, Vec<KeyChord>>) -> Self {
        let mut keys = changes.clone();
        for &action in KeyAction::ALL {
            keys.entry(action).or_insert_with(|| {
                let defaults = action.default_keys().iter().filter_map(|key| key.parse().ok());
                let is_free = |key: &KeyChord| {
                    let taken = |(other, taken): (&KeyAction, &Vec<KeyChord>)| {
                        Self::share_pane(action, *other) && taken.contains(key)
                    };
                    !changes.iter().any(taken)
                };
                defaults.filter(is_free).collect()
            });
        }
        Self { keys }
    }

    /// The action of a key in a pane.
    pub(crate) fn action(&self, pane: KeyPane, key: KeyChord) -> Option<KeyAction> {
        let is_it = |action: &KeyAction| action.panes().contains(&pane);
        self.keys
            .iter()
            .find(|(action, keys)| is_it(action) && keys.contains(&key))
            .map(|(action, _)| *action)
    }

    /// The keys of an action; empty if the user took all of them.
    pub(crate) fn keys(&self, action: KeyAction) -> &[KeyChord] {
        self.keys.get(&action).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether two actions work in the same pane, so that they cannot have the same key.
    pub(crate) fn share_pane(one: KeyAction, other: KeyAction) -> bool {
        one.panes().iter().any(|pane| other.panes().contains(pane))
    }

    /// The first key of an action, for hints.
    pub(crate) fn first_key(&self, action: KeyAction) -> Option<KeyChord> {
        self.keys(action).first().copied()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_4_no_two_actions_of_a_pane_share_a_default_key() {
        let keys = KeyMap::default();
        for (place, &one) in KeyAction::ALL.iter().enumerate() {
            assert_eq!(keys.keys(one).len(), one.default_keys().len(), "{one:?} has valid keys");
            for &other in &KeyAction::ALL[place + 1..] {
                let shared = keys.keys(one).iter().find(|key| keys.keys(other).contains(key));
                assert!(
                    !KeyMap::share_pane(one, other) || shared.is_none(),
                    "{one:?} {other:?} {shared:?}"
                );
            }
        }
    }

    #[test]
    fn s_4_a_key_of_the_user_is_taken_from_the_defaults_of_its_pane_only() {
        let key = "n".parse().expect("a key");
        let keys = KeyMap::with_changes(BTreeMap::from([(KeyAction::NewTask, vec![key])]));
        assert_eq!(keys.action(KeyPane::Board, key), Some(KeyAction::NewTask));
        assert_eq!(keys.action(KeyPane::Text, key), Some(KeyAction::NextMatch));
        assert_eq!(keys.first_key(KeyAction::NextNeedingYou), None);
    }
}
