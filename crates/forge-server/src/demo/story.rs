//! The tasks of the demonstration, and what each is to show.

use super::cast::Agent;

/// One task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene {
    /// Stays the same whatever people rename.
    pub(super) name: &'static str,
    /// The task's title.
    pub(super) title: &'static str,
    /// The task's description: the agents read its `name: value` lines.
    pub(super) description: &'static str,
    /// Who does it.
    pub(super) agent: Agent,
    /// The task that must have landed before.
    pub(super) depends_on: Option<&'static str>,
    /// The task that must have begun before.
    pub(super) begins_after: Option<&'static str>,
}

/// In the order in which they are made; what a task refers to comes before it.
pub(super) const STORY: [Scene; 6] = [
    Scene {
        name: "metres",
        title: "Convert kilometres to metres",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: km-to-m\nformula: number * 1000\ncase: 0 = 0\ncase: 5 = 5000",
        agent: Agent::Builder,
        depends_on: None,
        begins_after: None,
    },
    // Rejected by its checks once, then mended.
    Scene {
        name: "fahrenheit",
        title: "Convert Celsius to Fahrenheit",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: celsius-to-fahrenheit\nformula: number * 9 / 5 + 32\n\
            case: 0 = 32\ncase: 100 = 212",
        agent: Agent::Hasty,
        depends_on: None,
        begins_after: None,
    },
    Scene {
        name: "minutes",
        title: "Convert hours to minutes",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: hours-to-minutes\nformula: number * 60\ncase: 2 = 120\ncase: 24 = 1440",
        agent: Agent::Builder,
        depends_on: None,
        begins_after: None,
    },
    // Cannot be claimed before the conversion it describes has landed.
    Scene {
        name: "readme",
        title: "List the conversions in the README",
        description: "Name every conversion there is.\n\ndescribes: km-to-m",
        agent: Agent::Writer,
        depends_on: Some("metres"),
        begins_after: None,
    },
    // Takes its time, and then does not fit any more: parked for a person.
    Scene {
        name: "big-release",
        title: "Release 2.0",
        description: "Write the version down and test it well.\n\nversion: 2.0\npatience: 3000",
        agent: Agent::Releaser,
        depends_on: None,
        begins_after: None,
    },
    // Begins later, on the same line of the same file, and lands first.
    Scene {
        name: "small-release",
        title: "Release 1.1",
        description: "Write the version down.\n\nversion: 1.1",
        agent: Agent::Releaser,
        depends_on: None,
        begins_after: Some("big-release"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_refers_only_to_what_was_made_before_it() {
        let mut known = Vec::new();
        for scene in STORY {
            for other in [scene.depends_on, scene.begins_after].into_iter().flatten() {
                assert!(known.contains(&other), "{} comes before {other}", scene.name);
            }
            assert!(!known.contains(&scene.name), "{} is there twice", scene.name);
            known.push(scene.name);
        }
    }

    #[test]
    fn no_agent_is_asked_for_more_than_it_may_do_at_once() {
        for agent in Agent::ALL {
            let tasks = STORY.iter().filter(|scene| scene.agent == agent).count();
            assert!(tasks > 0 && tasks <= usize::try_from(Agent::MAX_CONCURRENT).unwrap());
        }
    }
}
