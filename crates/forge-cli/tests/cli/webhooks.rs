//! `forge webhook` (SPEC S-2, S-4, S-6).

use forge_api::EventType;
use forge_testkit::webhook_receiver::{ReceiverAnswer, WebhookReceiver};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::cli_fixture::CliFixture;

/// A fixture with a project, and a receiver that runs as long as the runtime.
fn start() -> (CliFixture, Runtime, WebhookReceiver) {
    let fixture = CliFixture::start_with(&[("FORGE_PRIVATE_HOSTS", "127.0.0.1")]);
    fixture.run(&["init"]);
    let runtime = Runtime::new().expect("a runtime");
    let receiver = runtime.block_on(WebhookReceiver::start());
    (fixture, runtime, receiver)
}

fn secret_in(text: &str) -> String {
    let words = text.split_whitespace().find(|word| word.starts_with("whsec_"));
    words.expect("a secret").to_owned()
}

#[test]
fn s_4_a_webhook_is_added_tested_changed_and_removed_by_name() {
    let (fixture, runtime, receiver) = start();
    let url = receiver.url();
    let events = "task.created,task.landed";
    let added = fixture.run(&["webhook", "add", &url, "--name", "chat", "--events", events]);
    let secret = secret_in(&added);
    assert!(added.starts_with("Added webhook chat"), "{added}");

    let tested = fixture.run(&["webhook", "test", "chat"]);
    assert!(tested.starts_with("Delivered: 204"), "{tested}");
    fixture.run(&["task", "new", "Shine"]);
    let received = runtime.block_on(receiver.wait_for(2));
    assert!(received.iter().all(|message| message.is_signed_with(&secret)));
    assert_eq!(received[1].json()["type"], "task.created");

    let listed = fixture.run(&["webhook", "list"]);
    let row = listed.lines().find(|line| line.starts_with("chat")).expect("a row").to_owned();
    assert!(row.contains("active") && row.contains(events.replace(',', ", ").as_str()), "{row}");
    let shown = fixture.run(&["webhook", "show", "chat"]);
    assert!(shown.contains(&url) && !shown.contains("whsec_"), "{shown}");
    let deliveries = fixture.run(&["webhook", "deliveries", "chat"]);
    assert!(
        deliveries.contains("webhook.ping") && deliveries.contains("task.created"),
        "{deliveries}"
    );
    let again = fixture.run(&["webhook", "deliveries", "chat", "--redeliver", "2"]);
    assert!(again.starts_with("Delivered"), "{again}");

    let edited =
        fixture.run(&["webhook", "edit", "chat", "--rename", "talk", "--all-events", "--disable"]);
    assert!(edited.starts_with("talk") && edited.contains("disabled"), "{edited}");
    assert_eq!(fixture.run(&["webhook", "remove", "talk", "--yes"]).trim(), "Removed webhook talk");
    assert_eq!(fixture.run(&["webhook", "list"]), "");
    fixture.stop();
}

#[test]
fn s_4_a_refused_test_fails_and_doctor_names_a_webhook_that_needs_a_person() {
    let (fixture, _runtime, receiver) = start();
    receiver.answer_always(ReceiverAnswer::Status(410, "no more"));
    fixture.run(&["webhook", "add", &receiver.url(), "--name", "chat"]);
    let refused = fixture.fail(1, &["webhook", "test", "chat"]);
    assert!(refused.out.contains("410") && refused.out.contains("no more"), "{refused:?}");
    fixture.wait_for_events(EventType::WebhookDisabled, 1);
    // The test's environment has no git, so the exit code does not count.
    let report = fixture.user.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&report.out).expect("one document");
    let findings = report["findings"].as_array().expect("a list");
    let found = findings.iter().find(|finding| finding["name"] == "webhooks").expect("a finding");
    assert_eq!(found["verdict"], "warn");
    let message = found["message"].as_str().expect("text");
    assert!(message.contains("chat") && message.contains("410"), "{message}");
    assert!(found["next"].as_str().expect("text").contains("forge webhook show chat"));
    fixture.stop();
}

#[test]
fn s_4_wrong_input_is_refused_with_what_to_write() {
    let (fixture, _runtime, receiver) = start();
    let url = receiver.url();
    let ended = fixture.fail(2, &["webhook", "add", &url, "--events", "task.merged"]);
    assert!(ended.err.contains("task.landed") || ended.err.contains("task.created"), "{ended:?}");
    let ended = fixture.fail(2, &["webhook", "add", &url, "--secret", "whsec_visible"]);
    assert!(ended.err.contains("@FILE"), "{ended:?}");
    let ended = fixture.fail(3, &["webhook", "test", "nothing"]);
    assert!(ended.err.contains("forge webhook add URL"), "{ended:?}");
    let ended = fixture.fail(2, &["webhook", "edit", "nothing"]);
    assert!(ended.err.contains("--enable"), "{ended:?}");
    fixture.stop();
}
