//! Webhooks while the server is killed in the middle of deliveries (S-2, P-4).

use crate::place::{RestartFixture, read};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use forge_testkit::webhook_receiver::{ReceiverAnswer, WebhookReceiver};
use serde_json::json;
use std::sync::Arc;

const KILLS: usize = 6;
const SETTINGS: [&str; 2] = ["--private-hosts", "127.0.0.1"];

both_databases! {
    /// Every event arrives in order, and only the one in flight at a kill arrives again, with the same id.
    async fn s_2_p_4_kills_during_deliveries_lose_no_event_and_keep_the_order(database: Arc<TestDatabase>) {
        let place = RestartFixture::new();
        let address = database.address().await;
        let start = || place.serve_with_database(&SETTINGS, &address);
        let receiver = WebhookReceiver::start().await;
        let mut server = start();
        let asked = read(json!({ "name": "Shop" }));
        let project = server.client.projects().create(&asked).await.expect("a project").id;
        let asked = read(json!({ "url": receiver.url() }));
        let added = server.client.webhooks().add(project, &asked).await.expect("a webhook");
        let first = receiver.wait_for(1).await[0].seq();
        let mut made = 0;
        for _ in 0..KILLS {
            let before = receiver.received().len();
            receiver.answer_next([ReceiverAnswer::Status(200, ""), ReceiverAnswer::Never]);
            for _ in 0..3 {
                server.client.projects().pause(project).await.expect("is paused");
                server.client.projects().resume(project).await.expect("is resumed");
                made += 2;
            }
            receiver.wait_for(before + 2).await;
            server.kill();
            server = start();
        }
        let last = first + made;
        let received = receiver.wait_until(|all| all.iter().any(|message| message.seq() == last)).await;
        let sequence: Vec<_> = received.iter().map(|message| message.seq()).collect();
        assert!(sequence.is_sorted(), "{sequence:?}");
        let mut distinct = sequence.clone();
        distinct.dedup();
        assert_eq!(distinct, (first..=last).collect::<Vec<_>>(), "{sequence:?}");
        assert!(sequence.len() - distinct.len() <= 2 * KILLS, "{sequence:?}");
        for message in &received {
            assert!(message.is_signed_with(added.secret.expose()));
            assert!(message.header("webhook-id").ends_with(&format!("_{}", message.seq())));
        }
        server.kill();
        assert!(!place.server_errors().contains(added.secret.expose()), "no secret in the log");
    }
}
