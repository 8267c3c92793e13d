//! The tasks of the demonstration and the purpose of each.

use crate::demo::demo_agents::DemoAgent;

/// One task of the demonstration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DemoScene {
    /// Stays the same when people rename the task.
    pub(crate) name: &'static str,
    /// The task's title.
    pub(crate) title: &'static str,
    /// The task's description: the agents read its `name: value` lines.
    pub(crate) description: &'static str,
    /// The agent that works on it.
    pub(crate) agent: DemoAgent,
    /// The task that must have landed before.
    pub(crate) depends_on: Option<&'static str>,
    /// The task that must have started before.
    pub(crate) begins_after: Option<&'static str>,
}

/// In order of creation; a task refers only to earlier ones.
pub(crate) const STORY: [DemoScene; 6] = [
    DemoScene {
        name: "metres",
        title: "Convert kilometres to metres",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: km-to-m\nformula: number * 1000\ncase: 0 = 0\ncase: 5 = 5000",
        agent: DemoAgent::Builder,
        depends_on: None,
        begins_after: None,
    },
    // Its checks reject it once, then the agent fixes it.
    DemoScene {
        name: "fahrenheit",
        title: "Convert Celsius to Fahrenheit",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: celsius-to-fahrenheit\nformula: number * 9 / 5 + 32\n\
            case: 0 = 32\ncase: 100 = 212",
        agent: DemoAgent::Hasty,
        depends_on: None,
        begins_after: None,
    },
    DemoScene {
        name: "minutes",
        title: "Convert hours to minutes",
        description: "Add the conversion with cases that prove it.\n\n\
            conversion: hours-to-minutes\nformula: number * 60\ncase: 2 = 120\ncase: 24 = 1440",
        agent: DemoAgent::Builder,
        depends_on: None,
        begins_after: None,
    },
    // Cannot be claimed before the conversion it describes has landed.
    DemoScene {
        name: "readme",
        title: "List the conversions in the README",
        description: "Name every conversion there is.\n\ndescribes: km-to-m",
        agent: DemoAgent::Writer,
        depends_on: Some("metres"),
        begins_after: None,
    },
    // Works slowly and then conflicts: parked for a person.
    DemoScene {
        name: "big-release",
        title: "Release 2.0",
        description: "Write the version down and test it well.\n\nversion: 2.0\npatience: 3000",
        agent: DemoAgent::Releaser,
        depends_on: None,
        begins_after: None,
    },
    // Starts later, changes the same line of the same file, and lands first.
    DemoScene {
        name: "small-release",
        title: "Release 1.1",
        description: "Write the version down.\n\nversion: 1.1",
        agent: DemoAgent::Releaser,
        depends_on: None,
        begins_after: Some("big-release"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_refers_only_to_earlier_scenes() {
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
    fn no_agent_gets_more_tasks_than_its_limit() {
        for agent in DemoAgent::ALL {
            let tasks = STORY.iter().filter(|scene| scene.agent == agent).count();
            assert!(tasks > 0 && tasks <= usize::try_from(DemoAgent::MAX_CONCURRENT).unwrap());
        }
    }
}
