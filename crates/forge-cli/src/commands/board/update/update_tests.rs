//! What keys and events do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api::{EventType, TaskPhase};
use serde_json::{Value, json};

use crate::commands::board::board_config::CardOrder;
use crate::commands::board::state::board_fixture::{
    action, board, empty_board, loaded, needs, press, story, task, task_id, task_with, type_text,
};
use crate::commands::board::state::{BoardDialog, BoardScreen, BoardState, ConnectionState};
use crate::commands::board::update::{ActionWish, BoardEffect, BoardEvent, LoadedLog, LoadedTasks};

fn story_board() -> BoardState {
    let (tasks, needs) = story();
    board((160, 45), tasks, needs)
}

fn selected(state: &BoardState) -> &str {
    state.columns.selected().map_or("none", |card| &card.key)
}

fn notice(state: &BoardState) -> &str {
    state.notice.as_ref().map_or("", |notice| &notice.text)
}

fn server_event(kind: EventType, number: u64) -> BoardEvent {
    let event = json!({
        "id": "1:1", "project_id": null, "seq": 1, "type": kind, "task_id": task_id(number),
        "actor": { "kind": "system", "component": "c" }, "at": "2026-03-01T12:00:00Z", "data": null,
    });
    BoardEvent::ServerEvent(serde_json::from_value(event).expect("an event"))
}

fn text_parameter(name: &str, required: bool) -> Value {
    json!({ "name": name, "kind": "long_text", "required": required, "choices": null })
}

#[test]
fn s_4_one_key_goes_to_the_next_task_that_needs_me_and_wraps() {
    let mut state = story_board();
    assert_eq!(selected(&state), "T-7", "the board begins where the user is needed");
    press(&mut state, &["n"]);
    assert_eq!(selected(&state), "T-10");
    press(&mut state, &["n"]);
    assert_eq!(selected(&state), "T-7", "it wraps");
    let mut quiet = board((80, 24), vec![task(1, "birch", "One")], Vec::new());
    assert_eq!(press(&mut quiet, &["n"]), []);
    assert_eq!((selected(&quiet), notice(&quiet)), ("T-1", "Nothing needs you"));
}

#[test]
fn s_4_esc_never_quits_and_q_does() {
    let mut state = story_board();
    for _ in 0..3 {
        assert_eq!(press(&mut state, &["esc"]), []);
    }
    assert_eq!(notice(&state), "q quits");
    press(&mut state, &["enter", "l", "esc"]);
    assert!(matches!(state.screen, BoardScreen::Task(_)), "back to the task");
    assert_eq!(press(&mut state, &["esc", "q"]), [BoardEffect::Quit]);
}

#[test]
fn s_4_typing_finds_by_title_key_agent_branch_and_label() {
    let mut state = story_board();
    let branches = [(task_id(11), "forge/11-reject".to_owned())].into();
    assert_eq!(press(&mut state, &["/"]), [BoardEffect::LoadBranches]);
    state.update(BoardEvent::BranchesLoaded(branches));
    for (words, expected) in [
        ("payouts", "T-5"),
        ("t-12", "T-12"),
        ("ADA csv", "T-10"),
        ("forge/11", "T-11"),
        ("i18n", "T-4"),
    ] {
        type_text(&mut state, words);
        assert_eq!(selected(&state), expected, "{words}");
        press(&mut state, &["ctrl+u"]);
    }
    type_text(&mut state, "payouts");
    press(&mut state, &["enter"]);
    let all =
        |state: &BoardState| state.columns.all().iter().map(|it| it.cards.len()).sum::<usize>();
    assert_eq!((all(&state), &state.dialog), (1, &None), "the filter stays");
    press(&mut state, &["esc"]);
    assert_eq!(all(&state), 12);
}

#[test]
fn s_4_only_allowed_moves_are_offered_and_a_refusal_is_shown() {
    let mut state = story_board();
    let asked = press(&mut state, &["m"]);
    assert_eq!(asked, [BoardEffect::LoadActions { task: task_id(7), wish: ActionWish::Move }]);
    let status = |name: &str| {
        json!([
            { "name": "status", "kind": "choice", "required": true, "choices": [name] },
            { "name": "version", "kind": "integer", "required": false, "choices": null },
        ])
    };
    let moves = vec![
        action("transition", Some("elm"), status("elm")),
        action("cancel", None, json!([])),
        action("transition", Some("birch"), status("birch")),
    ];
    let event = BoardEvent::ActionsLoaded {
        task: task_id(7),
        wish: ActionWish::Move,
        actions: Ok(moves),
        agents: Vec::new(),
    };
    state.update(event);
    let Some(BoardDialog::Menu(menu)) = &state.dialog else { panic!("{:?}", state.dialog) };
    let labels: Vec<_> = menu.items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels, ["Land: elm", "Move to birch"]);
    let effects = press(&mut state, &["down", "enter"]);
    let [BoardEffect::Perform { task, parameters, words, .. }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!((*task, words.as_str()), (task_id(7), "moved to birch"));
    assert_eq!(Value::from(parameters.clone()), json!({ "status": "birch", "version": 1 }));
    assert!(state.pending.contains_key(&task_id(7)), "the card has a mark");
    press(&mut state, &["m"]);
    assert_eq!(notice(&state), "still waiting for: moved to birch");
    let refused = Err("the review is over; `forge task review T-7` shows it".to_owned());
    let words = words.clone();
    state.update(BoardEvent::Performed { task: task_id(7), words, answer: refused });
    assert_eq!(notice(&state), "T-7: the review is over; `forge task review T-7` shows it");
    assert!(state.pending.is_empty());
}

#[test]
fn s_4_starting_asks_for_the_agent_and_says_why_it_is_not_possible() {
    let mut state = story_board();
    let agent =
        json!([{ "name": "agent_id", "kind": "agent", "required": false, "choices": null }]);
    let answer = |actions| BoardEvent::ActionsLoaded {
        task: task_id(7),
        wish: ActionWish::Start,
        actions: Ok(actions),
        agents: Vec::new(),
    };
    let effects = state.update(answer(vec![action("cancel", None, json!([]))]));
    let intro = "T-7 cannot be started now.".to_owned();
    assert_eq!(effects, [BoardEffect::Explain { task: task_id(7), intro }]);
    state.update(answer(vec![action("claim", None, agent)]));
    type_text(&mut state, "ad");
    let effects = press(&mut state, &["enter"]);
    let [BoardEffect::Perform { parameters, words, .. }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(parameters.contains_key("agent_id"), "{parameters:?}");
    assert_eq!(words, "started with ada");
}

#[test]
fn s_4_a_message_is_required_and_an_end_is_confirmed() {
    let mut state = story_board();
    let choose = |actions| BoardEvent::ActionsLoaded {
        task: task_id(7),
        wish: ActionWish::Choose,
        actions: Ok(actions),
        agents: Vec::new(),
    };
    let steer = action("steer", None, json!([text_parameter("message", true)]));
    let edit = action(
        "edit",
        None,
        json!([{ "name": "version", "kind": "integer", "required": true, "choices": null }]),
    );
    let cancel = action("cancel", None, json!([text_parameter("reason", false)]));
    state.update(choose(vec![steer, edit, cancel]));
    let Some(BoardDialog::Menu(menu)) = &state.dialog else { panic!("{:?}", state.dialog) };
    assert_eq!(menu.items.len(), 2, "what the board cannot ask for is left out");
    assert_eq!(press(&mut state, &["enter", "enter"]), []);
    assert!(notice(&state).contains("cannot be empty"), "{}", notice(&state));
    state.update(BoardEvent::Pasted("use\nspaces".to_owned()));
    let effects = press(&mut state, &["enter"]);
    assert!(
        matches!(&effects[..], [BoardEffect::Perform { parameters, .. }] if parameters["message"] == "use spaces")
    );
    state.pending.clear();
    state.update(choose(vec![action("cancel", None, json!([]))]));
    assert_eq!(press(&mut state, &["enter", "enter"]), [], "the first choice keeps the task");
    state.update(choose(vec![action("cancel", None, json!([]))]));
    let effects = press(&mut state, &["enter", "down", "enter"]);
    assert!(matches!(&effects[..], [BoardEffect::Perform { .. }]), "{effects:?}");
}

#[test]
fn s_2_many_events_cause_few_requests() {
    let mut state = story_board();
    let effects = state.update(server_event(EventType::TaskTransitioned, 5));
    assert_eq!(effects, [BoardEffect::LoadTasks(vec![task_id(5)]), BoardEffect::LoadNeeds]);
    for number in [5, 6, 5, 6] {
        assert_eq!(state.update(server_event(EventType::ExecutionStarted, number)), []);
    }
    assert_eq!(state.update(server_event(EventType::JournalRecorded, 6)), []);
    let moved = task_with(task(5, "ebony", "Retry failed payouts"), |task| task.version = 2);
    let loaded = LoadedTasks { tasks: vec![moved], ..LoadedTasks::default() };
    let effects = state.update(BoardEvent::TasksLoaded(loaded));
    assert_eq!(effects, [BoardEffect::LoadTasks(vec![task_id(5), task_id(6)])]);
    assert_eq!(state.columns.card(task_id(5)).map(|card| card.phase), Some(TaskPhase::Review));
    let older = LoadedTasks { tasks: vec![task(5, "cedar", "Old")], ..LoadedTasks::default() };
    state.update(BoardEvent::TasksLoaded(older));
    assert_eq!(state.columns.card(task_id(5)).map(|card| card.phase), Some(TaskPhase::Review));
}

#[test]
fn s_2_a_lost_connection_is_shown_and_nothing_is_loaded_twice() {
    let mut state = empty_board((80, 24));
    assert_eq!(state.update(BoardEvent::Connected), [BoardEffect::LoadBoard]);
    let (tasks, needs) = story();
    state.update(loaded(tasks, needs, Vec::new()));
    state.update(BoardEvent::ConnectionLost);
    assert!(matches!(state.connection, ConnectionState::Lost(_)));
    assert_eq!(state.update(BoardEvent::Connected), []);
    assert_eq!(state.connection, ConnectionState::Live);
}

#[test]
fn s_2_what_could_not_be_loaded_is_loaded_after_the_connection_is_back() {
    let mut state = story_board();
    state.update(server_event(EventType::TaskTransitioned, 5));
    state.update(BoardEvent::ConnectionLost);
    let failed = LoadedTasks {
        failed: vec![task_id(5)],
        problem: Some("nothing answers".to_owned()),
        ..LoadedTasks::default()
    };
    assert_eq!(state.update(BoardEvent::TasksLoaded(failed)), [], "no request until it is back");
    assert_eq!(state.update(BoardEvent::NeedsLoaded(Err("nothing answers".to_owned()))), []);
    let effects = state.update(BoardEvent::Connected);
    assert_eq!(effects, [BoardEffect::LoadTasks(vec![task_id(5)]), BoardEffect::LoadNeeds]);
}

#[test]
fn s_4_the_selection_does_not_jump() {
    let mut state = story_board();
    press(&mut state, &["left", "left", "down"]);
    assert_eq!(selected(&state), "T-3");
    let moved = task_with(task(3, "cedar", "Drop"), |task| task.version = 2);
    let loaded = LoadedTasks { tasks: vec![moved], ..LoadedTasks::default() };
    state.update(BoardEvent::TasksLoaded(loaded));
    assert_eq!(selected(&state), "T-4", "the card that took its place");
    let gone = LoadedTasks { gone: vec![task_id(4)], ..LoadedTasks::default() };
    state.update(BoardEvent::TasksLoaded(gone));
    assert_eq!(selected(&state), "T-2");
    press(&mut state, &["left"]);
    let last = task_with(task(1, "cedar", "Archive"), |task| task.version = 2);
    let loaded = LoadedTasks { tasks: vec![last], ..LoadedTasks::default() };
    state.update(BoardEvent::TasksLoaded(loaded));
    assert_eq!(selected(&state), "T-1", "the last card of a column takes the focus with it");
}

#[test]
fn s_4_title_and_bell_say_that_a_task_needs_me() {
    let (tasks, _) = story();
    let mut state = empty_board((80, 24));
    state.config.bell = true;
    let title = |text: &str| BoardEffect::SetTitle(text.to_owned());
    assert_eq!(state.update(loaded(tasks, Vec::new(), Vec::new())), [title("ledger-api · Forge")]);
    let effects = state.update(BoardEvent::NeedsLoaded(Ok(vec![needs(7, "m")])));
    assert_eq!(effects, [BoardEffect::RingBell, title("(1) ledger-api · Forge")]);
    assert_eq!(state.update(BoardEvent::NeedsLoaded(Ok(vec![needs(7, "m")]))), []);
}

#[test]
fn s_4_a_closed_log_ends_its_requests() {
    let mut state = story_board();
    let visit = match press(&mut state, &["l"]).as_slice() {
        [BoardEffect::LoadLog { visit, pauses: false, .. }] => *visit,
        effects => panic!("{effects:?}"),
    };
    let log = || LoadedLog {
        execution: Some(task_id(90)),
        events: vec![
            serde_json::from_value(json!({ "seq": 1, "kind": "stdout", "text": "hello" }))
                .expect("an event"),
        ],
        next: 1,
        has_ended: false,
    };
    let effects = state.update(BoardEvent::LogLoaded { visit, log: Ok(log()) });
    assert!(matches!(&effects[..], [BoardEffect::LoadLog { after: 1, pauses: true, .. }]));
    press(&mut state, &["esc", "l"]);
    assert_eq!(
        state.update(BoardEvent::LogLoaded { visit, log: Ok(log()) }),
        [],
        "an earlier visit"
    );
    let BoardScreen::Text(screen) = &state.screen else { panic!("a log") };
    assert!(screen.lines.is_empty());
}

#[test]
fn s_4_cards_that_need_a_person_come_first_on_request() {
    let mut state = story_board();
    assert_eq!(state.config.order, CardOrder::Priority);
    press(&mut state, &["t"]);
    let review: Vec<_> =
        state.columns.all()[3].cards.iter().map(|card| card.key.as_str()).collect();
    assert_eq!(review, ["T-7", "T-10", "T-8", "T-9"]);
    assert_eq!(selected(&state), "T-7", "the selected card stays selected");
}

#[test]
fn f_6_p_7_renamed_states_change_nothing_but_their_names() {
    let (tasks, needs) = story();
    let state = board((160, 45), tasks.clone(), needs.clone());
    let meanings = |state: &BoardState| {
        let cards = state.columns.all().iter().flat_map(|column| &column.cards);
        let mut found: Vec<_> =
            cards.map(|card| (card.number, card.phase as u8, card.meaning)).collect();
        found.sort_by_key(|(number, ..)| *number);
        found
    };
    let before = meanings(&state);
    let mut renamed = board((160, 45), tasks, needs);
    for task in renamed.tasks.values_mut() {
        task.status = format!("x-{}", task.status);
    }
    renamed.states = renamed
        .states
        .clone()
        .into_iter()
        .map(|(name, state)| (format!("x-{name}"), state))
        .collect();
    renamed.rebuild_columns();
    assert_eq!(meanings(&renamed), before);
}
