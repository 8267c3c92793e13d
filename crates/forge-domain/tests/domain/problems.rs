//! F-5: all problems of a workflow are reported at once, each with its location and line.

use crate::support::definition;
use forge_domain::workflow::{
    CleanupTiming, InvalidWorkflowError, ProblemCode, TEMPLATES, TerminalOutcome,
    WorkflowDefinition, WorkflowStateKind,
};

/// A valid workflow, small enough to see the effect of each mistake.
const SMALL: &str = r#"name = "small"
initial = "new"
fault = "stuck"
cancel = "dropped"

[[state]]
name = "new"
kind = "queue"
claimable = true
claim_target = "doing"

[[state]]
name = "doing"
kind = "work"
role = "coder"
done = "checking"

[[state]]
name = "checking"
kind = "gate"
pass = "over"
reject = "doing"
max_attempts = 2
auto_advance = true

[[state]]
name = "over"
kind = "terminal"
outcome = "success"

[[state]]
name = "stuck"
kind = "hold"
manual = ["new"]

[[state]]
name = "dropped"
kind = "terminal"
outcome = "cancelled"
"#;

fn problems_of(text: &str) -> InvalidWorkflowError {
    let problems = match WorkflowDefinition::from_toml(text) {
        Ok(definition) => definition.validated().map(|_| ()),
        Err(invalid) => Err(invalid),
    };
    problems.expect_err("it has a mistake").with_lines_of(text)
}

#[test]
fn f_5_the_small_workflow_is_valid() {
    let definition = WorkflowDefinition::from_toml(SMALL).expect("it can be read");
    assert_eq!(definition.problems(), []);
}

/// A state that only `fault` or `cancel` reaches becomes unreachable once that edge leads elsewhere; the second problem
/// is expected.
fn follows(edited: &str, code: ProblemCode) -> bool {
    let wide = edited.starts_with("fault") || edited.starts_with("cancel");
    wide && code == ProblemCode::Unreachable
}

#[test]
fn f_5_each_mistake_is_reported_once_with_its_place_and_line() {
    use ProblemCode as P;
    let cases: [(&str, &str, P, &str, Option<usize>); 22] = [
        ("name = \"small\"", "name = \"\"", P::BadName, "name", Some(1)),
        ("role = \"coder\"", "role = \"-x\"", P::BadName, "state[1].role", Some(15)),
        (
            "pass = \"over\"",
            "pass = \"ovre\"\nmanual = [\"over\"]",
            P::UnknownTarget,
            "state[2].pass",
            Some(21),
        ),
        ("fault = \"stuck\"", "fault = \"stcuk\"", P::UnknownTarget, "fault", Some(3)),
        (
            "manual = [\"new\"]",
            "manual = [\"new\", \"nwe\"]",
            P::UnknownTarget,
            "state[4].manual",
            Some(34),
        ),
        (
            "role = \"coder\"\ndone",
            "role = \"coder\"\nfailed",
            P::MissingField,
            "state[1].done",
            Some(12),
        ),
        ("outcome = \"success\"\n", "", P::MissingField, "state[3].outcome", Some(26)),
        (
            "claim_target = \"doing\"",
            "manual = [\"doing\"]",
            P::MissingField,
            "state[0].claim_target",
            Some(6),
        ),
        (
            "kind = \"hold\"\n",
            "kind = \"hold\"\nrole = \"coder\"\n",
            P::MisplacedField,
            "state[4].role",
            Some(34),
        ),
        (
            "kind = \"hold\"\n",
            "kind = \"hold\"\nauto_advance = true\n",
            P::MisplacedField,
            "state[4].auto_advance",
            Some(34),
        ),
        (
            "kind = \"work\"\n",
            "kind = \"work\"\ncleanup = \"delayed\"\n",
            P::MisplacedField,
            "state[1].cleanup",
            Some(15),
        ),
        (
            "kind = \"hold\"\n",
            "kind = \"hold\"\ncleanup_seconds = 5\n",
            P::MisplacedField,
            "state[4].cleanup_seconds",
            Some(34),
        ),
        ("max_attempts = 2", "max_attempts = 0", P::BadNumber, "state[2].max_attempts", Some(23)),
        (
            "manual = [\"new\"]",
            "manual = [\"doing\"]\n\n[[state]]\nname = \"lost\"\nkind = \"hold\"",
            P::Unreachable,
            "state[5].name",
            Some(37),
        ),
        (
            "outcome = \"cancelled\"",
            "outcome = \"cancelled\"\nmanual = [\"new\"]",
            P::WayOutOfTerminal,
            "state[5].manual",
            Some(40),
        ),
        ("cancel = \"dropped\"", "cancel = \"stuck\"", P::CancelNotTerminal, "cancel", Some(4)),
        ("fault = \"stuck\"", "fault = \"over\"", P::FaultNotHold, "fault", Some(3)),
        ("initial = \"new\"", "initial = \"doing\"", P::InitialNotQueue, "initial", Some(2)),
        (
            "claimable = true\nclaim_target = \"doing\"",
            "manual = [\"doing\"]",
            P::NothingClaimable,
            "state",
            None,
        ),
        (
            "claim_target = \"doing\"",
            "claim_target = \"checking\"\nmanual = [\"doing\"]",
            P::ClaimWithoutWork,
            "state[0].claim_target",
            Some(10),
        ),
        ("max_attempts = 2\n", "", P::UnboundedCycle, "state[1]", Some(12)),
        (
            "done = \"checking\"",
            "done = \"checking\"\nfailed = \"doing\"",
            P::UnboundedCycle,
            "state[1]",
            Some(12),
        ),
    ];
    for (from, to, code, place, line) in cases {
        let invalid = problems_of(&SMALL.replacen(from, to, 1));
        let found: Vec<_> = invalid
            .problems
            .iter()
            .filter(|problem| !follows(from, problem.code))
            .map(|problem| (problem.code, problem.place.as_str(), problem.line))
            .collect();
        assert_eq!(found, [(code, place, line)], "{from} → {to}");
    }
}

#[test]
fn f_5_a_second_state_of_the_same_name_is_named_with_its_line() {
    let text = format!(
        "{SMALL}\n[[state]]\nname = \"over\"\nkind = \"terminal\"\noutcome = \"failure\"\n"
    );
    let invalid = problems_of(&text);
    let problem = &invalid.problems[0];
    assert_eq!(invalid.problems.len(), 1, "{invalid}");
    assert_eq!(
        (problem.code, problem.place.as_str()),
        (ProblemCode::DuplicateName, "state[6].name")
    );
    assert_eq!(problem.line, Some(42));
}

#[test]
fn f_5_a_workflow_without_an_end_is_refused() {
    let mut definition = WorkflowDefinition::from_toml(SMALL).expect("it can be read");
    for state in &mut definition.state {
        if state.kind == WorkflowStateKind::Terminal {
            state.kind = WorkflowStateKind::Hold;
            state.outcome = None;
            state.manual = vec!["new".to_owned()];
        }
    }
    let codes: Vec<_> = definition.problems().into_iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [ProblemCode::CancelNotTerminal, ProblemCode::NoTerminal]);
}

#[test]
fn f_5_bad_names_are_refused_and_unusual_ones_are_not() {
    for bad in ["", "-x", " x", "a/b", "a\nb", "a\"b", "..", &"x".repeat(65)] {
        let mut definition = WorkflowDefinition::from_toml(SMALL).expect("it can be read");
        definition.state[1].name = bad.to_owned();
        let codes: Vec<_> = definition.problems().into_iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&ProblemCode::BadName), "{bad:?}: {codes:?}");
    }
    for good in ["In Prüfung", "7", "v1.2", "a-b_c"] {
        let text = SMALL.replace("\"doing\"", &format!("\"{good}\""));
        let definition = WorkflowDefinition::from_toml(&text).expect("it can be read");
        assert_eq!(definition.problems(), [], "{good:?}");
    }
}

/// F-5: five mistakes give five problems in one answer.
#[test]
fn f_5_five_mistakes_are_five_problems() {
    let text = SMALL
        .replacen("role = \"coder\"\n", "", 1)
        .replacen("max_attempts = 2", "max_attempts = 0", 1)
        .replacen("reject = \"doing\"", "reject = \"dong\"", 1)
        .replacen("kind = \"hold\"\n", "kind = \"hold\"\npass = \"new\"\n", 1)
        .replacen("outcome = \"cancelled\"", "outcome = \"cancelled\"\nmanual = [\"new\"]", 1);
    let invalid = problems_of(&text);
    let found: Vec<_> = invalid
        .problems
        .iter()
        .map(|problem| (problem.code, problem.place.as_str(), problem.line))
        .collect();
    let expected = [
        (ProblemCode::MissingField, "state[1].role", Some(12)),
        (ProblemCode::UnknownTarget, "state[2].reject", Some(21)),
        (ProblemCode::BadNumber, "state[2].max_attempts", Some(22)),
        (ProblemCode::MisplacedField, "state[4].pass", Some(33)),
        (ProblemCode::WayOutOfTerminal, "state[5].manual", Some(40)),
    ];
    assert_eq!(found, expected, "{invalid}");
    let said = invalid.to_string();
    assert!(said.starts_with("workflow \"small\" has 5 problems"), "{said}");
    for (_, place, line) in expected {
        let line = line.expect("each has one");
        assert!(said.contains(&format!("line {line}, {place}: ")), "{said}");
    }
}

#[test]
fn f_5_a_file_that_is_no_workflow_is_one_problem_at_its_line() {
    let cases = [
        ("name = \"x\"\ninitial = \n", 2),
        ("name = \"x\"\ninitial = \"a\"\nfault = \"b\"\ncancel = \"c\"\ncolour = \"red\"\n", 5),
        (
            "name = \"x\"\ninitial = \"a\"\nfault = \"b\"\ncancel = \"c\"\n[[state]]\nname = \"a\"\nkind = \"heap\"\n",
            7,
        ),
    ];
    for (text, line) in cases {
        let invalid = problems_of(text);
        assert_eq!(invalid.problems.len(), 1, "{invalid}");
        let problem = &invalid.problems[0];
        assert_eq!(
            (problem.code, problem.line),
            (ProblemCode::Unreadable, Some(line)),
            "{invalid}"
        );
    }
}

#[test]
fn f_5_comments_behind_headers_do_not_shift_lines() {
    let text = SMALL.replace("[[state]]", "[[ state ]] # one more").replacen(
        "max_attempts = 2",
        "max_attempts = 0 # none",
        1,
    );
    let invalid = problems_of(&text);
    assert_eq!(invalid.problems[0].line, Some(23), "{invalid}");
}

/// Every misspelt target field of every shipped template is found.
#[test]
fn f_5_every_dangling_edge_is_found() {
    for (template, _) in TEMPLATES {
        let sound = definition(template);
        for i in 0..sound.state.len() {
            let mut broken = sound.clone();
            let state = &mut broken.state[i];
            let fields = [
                ("claim_target", &mut state.claim_target),
                ("done", &mut state.done),
                ("failed", &mut state.failed),
                ("pass", &mut state.pass),
                ("reject", &mut state.reject),
                ("exhausted", &mut state.exhausted),
                ("merged", &mut state.merged),
                ("conflict", &mut state.conflict),
                ("rejected", &mut state.rejected),
            ];
            let mut places = Vec::new();
            for (field, target) in fields {
                if target.is_some() {
                    *target = Some("nowhere".to_owned());
                    places.push(format!("state[{i}].{field}"));
                }
            }
            let found = broken.problems();
            for place in places {
                let reported = |problem: &&forge_domain::workflow::DefinitionProblem| {
                    problem.place == place && problem.code == ProblemCode::UnknownTarget
                };
                assert_eq!(found.iter().filter(reported).count(), 1, "{template}: {place}");
            }
        }
    }
}

#[test]
fn f_2_a_terminal_state_may_delay_its_cleanup_by_seconds() {
    let mut definition = WorkflowDefinition::from_toml(SMALL).expect("it can be read");
    definition.state[5].cleanup = Some(CleanupTiming::Delayed);
    definition.state[5].cleanup_seconds = Some(60);
    definition.state[5].outcome = Some(TerminalOutcome::Failure);
    assert_eq!(definition.problems(), []);
}
