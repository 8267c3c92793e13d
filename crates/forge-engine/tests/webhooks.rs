//! Webhooks: order, retries, addresses and leases, with a manual clock and real receivers (S-2, S-6).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{AccountRole, Actor, ProjectId, UserId};
use forge_engine::{
    EngineError, EngineLimits, HostResolver, IssuedWebhook, PrivateAddresses, RemoteSettings,
    UserSpec, WebhookChange, WebhookSpec,
};
use forge_store::tables::events::{self, EventRow};
use forge_store::tables::webhook_deliveries::{self, DeliveryKind, DeliveryRow};
use forge_store::tables::webhooks::{self, WebhookRow};
use forge_store::tables::{PageRequest, members};
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::webhook_receiver::{ReceiverAnswer, WebhookReceiver};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

const PUBLIC: &str = "203.0.113.7";
const LOCAL: &str = "127.0.0.1";
const DAY_MILLIS: i64 = 86_400_000;

/// Addresses of host names, as the test sets them.
#[derive(Debug, Default)]
struct ScriptedResolver(Mutex<HashMap<String, IpAddr>>);

impl ScriptedResolver {
    fn set(&self, host: &str, address: &str) {
        self.0.lock().unwrap().insert(host.to_owned(), address.parse().unwrap());
    }
}

impl HostResolver for ScriptedResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let scripted = self.0.lock().unwrap().get(host).copied();
        let found = scripted.or_else(|| host.parse().ok());
        let found = found.map(|address| vec![SocketAddr::new(address, port)]);
        std::future::ready(found.ok_or_else(|| io::Error::other("unknown host"))).boxed()
    }
}

/// An engine with a project, its member, and a receiver.
struct WebhookFixture {
    world: EngineFixture,
    resolver: Arc<ScriptedResolver>,
    receiver: WebhookReceiver,
    project: ProjectId,
    owner: Actor,
}

fn encode(event: EventRow) -> Option<String> {
    Some(json!({ "project_id": event.project_id, "seq": event.seq, "type": event.kind, "data": event.data }).to_string())
}

impl WebhookFixture {
    /// Private addresses are allowed as the rules say.
    async fn new(database: &TestDatabase, rules: &[&str]) -> Self {
        let resolver = Arc::new(ScriptedResolver::default());
        let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
        let remotes = RemoteSettings {
            private_addresses: PrivateAddresses::Only(rules),
            resolver: resolver.clone(),
            ..RemoteSettings::default()
        };
        let limits =
            EngineLimits { remotes, event_encoding: Some(encode), ..EngineFixture::limits() };
        let url = database.create_empty().await;
        let world = EngineFixture::with_limits(FaultSweep::counting(), Some(url), limits).await;
        let project = world.project("Shop", EngineFixture::workflow("default")).await.unwrap();
        let spec = UserSpec { name: "ann".to_owned(), password: None, role: AccountRole::Member };
        let owner = world.engine().accounts().create_user(spec).await.unwrap().id;
        let fixture = Self {
            world,
            resolver,
            receiver: WebhookReceiver::start().await,
            project,
            owner: Actor::User { id: owner },
        };
        fixture.join(owner).await;
        fixture
    }

    /// The same on this machine's addresses.
    async fn local(database: &TestDatabase) -> Self {
        Self::new(database, &["127.0.0.0/8"]).await
    }

    async fn join(&self, user: UserId) {
        let accounts = self.world.engine().accounts();
        accounts.add_member(self.owner.clone(), self.project, user).await.unwrap();
    }

    async fn leave(&self) {
        let Actor::User { id } = self.owner else { panic!("a user") };
        let accounts = self.world.engine().accounts();
        accounts.remove_member(self.owner.clone(), self.project, id).await.unwrap();
    }

    fn spec(&self) -> WebhookSpec {
        WebhookSpec { name: None, url: self.receiver.url(), event_types: None, secret: None }
    }

    async fn try_add(&self, spec: WebhookSpec) -> Result<IssuedWebhook, EngineError> {
        self.world.engine().webhooks().add(self.owner.clone(), self.project, spec).await
    }

    async fn add(&self) -> IssuedWebhook {
        self.try_add(self.spec()).await.unwrap()
    }

    async fn change(&self, webhook: &IssuedWebhook, change: WebhookChange) -> WebhookRow {
        let (owner, id) = (self.owner.clone(), webhook.webhook.id);
        self.world.engine().webhooks().change(owner, self.project, id, change).await.unwrap()
    }

    /// Records this many events of the project.
    async fn make_events(&self, count: usize) {
        for _ in 0..count {
            self.world.change_settings(self.project, json!({})).await;
        }
    }

    async fn deliver(&self) {
        self.world.engine().webhooks().deliver_due().await.unwrap();
    }

    /// Starts to deliver; returns when the receiver has accepted one event and keeps the sender waiting for the next.
    async fn hold_second_event(&self) -> tokio::task::JoinHandle<()> {
        self.make_events(5).await;
        self.receiver.answer_next([ReceiverAnswer::Status(200, ""), ReceiverAnswer::Never]);
        let sender = self.world.engine().webhooks().clone();
        let sending = tokio::spawn(async move { sender.deliver_due().await.unwrap() });
        self.receiver.wait_for(2).await;
        sending
    }

    async fn load(&self, webhook: &IssuedWebhook) -> WebhookRow {
        webhooks::load(self.world.engine().db(), webhook.webhook.id).await.unwrap().unwrap()
    }

    /// Newest first.
    async fn deliveries(&self, webhook: &IssuedWebhook) -> Vec<DeliveryRow> {
        let (db, page) = (self.world.engine().db(), PageRequest::first(200));
        webhook_deliveries::list_of_webhook(db, webhook.webhook.id, &page).await.unwrap().0
    }

    async fn latest_seq(&self) -> i64 {
        events::latest_seq(self.world.engine().db(), self.project).await.unwrap()
    }

    /// Advances the clock to the next attempt, and makes it.
    async fn retry(&self, webhook: &IssuedWebhook) {
        self.world.clock.advance_to(self.load(webhook).await.due_at);
        self.deliver().await;
    }
}

fn refused(status: u16) -> ReceiverAnswer {
    ReceiverAnswer::Status(status, "not now")
}

forge_testkit::both_databases! {
    async fn s_2_events_arrive_signed_and_in_order_from_the_creation_on(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        fixture.make_events(2).await;
        let webhook = fixture.add().await;
        fixture.make_events(40).await;
        fixture.deliver().await;
        let first = webhook.webhook.position + 1;
        let last = fixture.latest_seq().await;
        assert_eq!(fixture.receiver.sequence(), (first..=last).collect::<Vec<_>>());
        let received = fixture.receiver.received();
        assert_eq!(received[0].json()["type"], "webhook.created");
        assert_eq!(received[0].json()["project_id"], fixture.project.to_string());
        for message in &received {
            assert!(message.is_signed_with(webhook.secret.expose()), "{message:?}");
            let id = format!("evt_{}_{}", fixture.project.uuid().simple(), message.seq());
            assert_eq!(message.header("webhook-id"), id);
            assert_eq!(message.header("content-type"), "application/json");
            assert!(message.header("user-agent").starts_with("Forge-Webhook/"));
        }
        assert_eq!(fixture.load(&webhook).await.position, last);
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), received.len(), "each arrives once");
    }

    async fn s_2_only_wanted_types_arrive_and_another_project_is_never_heard(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let spec = WebhookSpec { event_types: Some(vec!["project.paused".to_owned()]), ..fixture.spec() };
        let webhook = fixture.try_add(spec).await.unwrap();
        let other = fixture.world.project("Other", EngineFixture::workflow("default")).await.unwrap();
        let (projects, actor) = (fixture.world.engine().projects(), EngineFixture::acting_user());
        for project in [other, fixture.project] {
            projects.pause_project(actor.clone(), project, true).await.unwrap();
        }
        fixture.make_events(40).await;
        fixture.deliver().await;
        let received = fixture.receiver.received();
        assert_eq!(received.len(), 1);
        assert_eq!(received[0].json()["type"], "project.paused");
        assert_eq!(received[0].json()["project_id"], fixture.project.to_string());
        assert_eq!(fixture.load(&webhook).await.position, fixture.latest_seq().await);
    }

    async fn s_2_a_failed_event_holds_back_the_next_ones_and_waits_double_each_time(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.make_events(1).await;
        let first = webhook.webhook.position + 1;
        fixture.receiver.answer_next([refused(500), refused(404), ReceiverAnswer::Busy(90), refused(500)]);
        fixture.deliver().await;
        for (attempt, wait) in [(1, 5), (2, 10), (3, 90), (4, 40)] {
            let row = fixture.load(&webhook).await;
            assert_eq!(row.due_at, fixture.world.engine().now().plus_seconds(wait), "attempt {attempt}");
            assert_eq!((row.failures, row.position), (attempt, first - 1));
            fixture.deliver().await;
            assert_eq!(fixture.receiver.received().len(), attempt as usize, "not before it is due");
            fixture.retry(&webhook).await;
        }
        assert_eq!(fixture.receiver.sequence(), [first, first, first, first, first, first + 1]);
        let ids: Vec<_> = fixture.receiver.received().iter().map(|message| message.header("webhook-id").to_owned()).collect();
        assert!(ids[..5].iter().all(|id| *id == ids[0]) && ids[5] != ids[0]);
        let row = fixture.load(&webhook).await;
        assert_eq!((row.failures, row.failing_since, row.last_error), (0, None, None));
        let deliveries = fixture.deliveries(&webhook).await;
        assert_eq!(deliveries.len(), 2, "one row for each event");
        assert_eq!((deliveries[1].attempts, deliveries[1].delivered, deliveries[1].http_status), (5, true, Some(204)));
    }

    async fn s_2_after_three_days_of_failures_it_is_disabled_and_goes_on_where_it_stopped(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.receiver.answer_always(refused(500));
        let begin = fixture.world.engine().now().millis();
        fixture.deliver().await;
        while fixture.load(&webhook).await.enabled {
            fixture.retry(&webhook).await;
        }
        let now = fixture.world.engine().now().millis();
        assert!((3 * DAY_MILLIS..4 * DAY_MILLIS).contains(&(now - begin)), "after {} h", (now - begin) / 3_600_000);
        assert!(fixture.receiver.received().len() < 100, "{} attempts", fixture.receiver.received().len());
        let row = fixture.load(&webhook).await;
        let reason = row.disabled_reason.unwrap();
        assert!(reason.contains("three days") && reason.contains("500"), "{reason}");
        assert_eq!(fixture.deliveries(&webhook).await[0].answer, "not now");
        let place = (fixture.project, fixture.latest_seq().await - 1);
        let last = events::after(fixture.world.engine().db(), &[place], 1).await.unwrap().remove(0);
        assert_eq!((last.kind.as_str(), &last.data["id"]), ("webhook.disabled", &json!(webhook.webhook.id)));
        assert!(!last.data.to_string().contains("http"), "the path of a URL may be a secret");
        let attempts = fixture.receiver.received().len();
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), attempts);
        fixture.receiver.answer_always(ReceiverAnswer::Status(200, ""));
        let enabled = WebhookChange { enabled: Some(true), ..WebhookChange::default() };
        fixture.change(&webhook, enabled).await;
        fixture.deliver().await;
        let first = webhook.webhook.position + 1;
        assert_eq!(fixture.receiver.sequence()[attempts..], (first..=fixture.latest_seq().await).collect::<Vec<_>>());
    }

    async fn s_2_a_receiver_that_is_gone_gets_nothing_more(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.receiver.answer_next([refused(410)]);
        fixture.deliver().await;
        let row = fixture.load(&webhook).await;
        assert!(!row.enabled && row.disabled_reason.unwrap().contains("410"));
    }

    async fn s_2_a_slow_receiver_holds_up_no_other(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let slow = WebhookReceiver::start().await;
        slow.answer_always(ReceiverAnswer::Never);
        fixture.try_add(WebhookSpec { url: slow.url(), ..fixture.spec() }).await.unwrap();
        fixture.add().await;
        fixture.make_events(3).await;
        let webhooks = fixture.world.engine().webhooks();
        tokio::select! {
            delivered = webhooks.deliver_due() => panic!("the slow one has not answered: {delivered:?}"),
            _ = fixture.receiver.wait_for(4) => {}
        }
        assert_eq!(slow.wait_for(1).await.len(), 1);
    }

    async fn p_4_after_a_crash_the_event_in_flight_is_delivered_again(database: Arc<TestDatabase>) {
        let mut fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.make_events(3).await;
        fixture.receiver.answer_next([ReceiverAnswer::Status(200, ""), ReceiverAnswer::Never]);
        tokio::select! {
            _ = fixture.world.engine().webhooks().deliver_due() => panic!("one is never answered"),
            _ = fixture.receiver.wait_for(2) => {}
        }
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), 2, "its lease is still held");
        fixture.world.restart().await;
        fixture.deliver().await;
        let first = webhook.webhook.position + 1;
        assert_eq!(fixture.receiver.sequence(), [first, first + 1, first + 1, first + 2, first + 3]);
    }

    async fn t_7_two_senders_deliver_each_event_once(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        fixture.add().await;
        fixture.make_events(50).await;
        tokio::join!(fixture.deliver(), fixture.deliver(), fixture.deliver());
        fixture.deliver().await;
        let sequence = fixture.receiver.sequence();
        assert!(sequence.is_sorted_by(|earlier, later| earlier < later), "{sequence:?}");
        assert_eq!(sequence.len(), 51);
    }

    async fn t_7_what_a_sender_does_after_its_lease_is_not_recorded(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.receiver.answer_next([ReceiverAnswer::Never]);
        let late = fixture.world.engine().webhooks().clone();
        let late = tokio::spawn(async move { late.deliver_due().await });
        fixture.receiver.wait_for(1).await;
        fixture.world.clock.advance_to(fixture.world.engine().now().plus_seconds(61));
        fixture.deliver().await;
        assert_eq!(fixture.load(&webhook).await.position, fixture.latest_seq().await);
        late.abort();
        assert_eq!(fixture.deliveries(&webhook).await.len(), 1);
    }

    async fn s_2_a_removed_webhook_stops_after_the_event_in_flight(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        let sending = fixture.hold_second_event().await;
        let (webhooks, id) = (fixture.world.engine().webhooks(), webhook.webhook.id);
        webhooks.remove(fixture.owner.clone(), fixture.project, id).await.unwrap();
        let gone = webhooks.load(fixture.project, id).await;
        assert!(matches!(gone, Err(EngineError::NotFound { noun: "webhook", .. })));
        fixture.make_events(1).await;
        fixture.deliver().await;
        sending.abort();
        assert_eq!(fixture.receiver.received().len(), 2);
    }

    async fn s_2_a_disabled_webhook_stops_after_the_event_in_flight(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        let sending = fixture.hold_second_event().await;
        let disabled = WebhookChange { enabled: Some(false), ..WebhookChange::default() };
        assert_eq!(fixture.change(&webhook, disabled).await.disabled_reason, None);
        fixture.make_events(1).await;
        fixture.deliver().await;
        sending.abort();
        assert_eq!(fixture.receiver.received().len(), 2);
    }

    async fn s_2_waiting_events_can_be_skipped(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.make_events(5).await;
        fixture.change(&webhook, WebhookChange { skip_waiting: true, ..WebhookChange::default() }).await;
        fixture.deliver().await;
        assert_eq!(fixture.receiver.sequence(), [fixture.latest_seq().await]);
        assert_eq!(fixture.receiver.received()[0].json()["type"], "webhook.updated");
    }

    async fn s_6_private_addresses_and_unencrypted_public_ones_are_refused(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::new(&database, &["10.0.0.0/8"]).await;
        fixture.resolver.set("inside.example", LOCAL);
        fixture.resolver.set("outside.example", PUBLIC);
        fixture.resolver.set("allowed.example", "10.1.2.3");
        let add = async |url: &str| {
            fixture.try_add(WebhookSpec { url: url.to_owned(), ..fixture.spec() }).await
        };
        for private in ["http://127.0.0.1:9/", "https://[::1]/", "https://inside.example/x", "https://169.254.169.254/latest"] {
            let refused = add(private).await;
            assert!(matches!(refused, Err(EngineError::AddressNotAllowed { .. })), "{private}: {refused:?}");
        }
        for wrong in ["http://outside.example/", "https://unknown.example/", "ftp://outside.example/", "https://a:b@outside.example/"] {
            let refused = add(wrong).await;
            assert!(matches!(refused, Err(EngineError::InvalidField { field: "url", .. })), "{wrong}: {refused:?}");
        }
        let webhook = add("https://outside.example/").await.unwrap();
        add("http://allowed.example/").await.unwrap();
        let change = WebhookChange { url: Some("https://inside.example/".to_owned()), ..WebhookChange::default() };
        let (owner, id) = (fixture.owner.clone(), webhook.webhook.id);
        let refused = fixture.world.engine().webhooks().change(owner, fixture.project, id, change).await;
        assert!(matches!(refused, Err(EngineError::AddressNotAllowed { .. })), "{refused:?}");
    }

    async fn s_6_a_name_that_turns_to_a_private_address_is_not_connected_to(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::new(&database, &[]).await;
        fixture.resolver.set("hooks.example", PUBLIC);
        let url = format!("https://hooks.example:{}/", fixture.receiver.port());
        let webhook = fixture.try_add(WebhookSpec { url, ..fixture.spec() }).await.unwrap();
        fixture.resolver.set("hooks.example", LOCAL);
        fixture.deliver().await;
        let row = fixture.load(&webhook).await;
        let error = row.last_error.unwrap();
        assert!(error.contains("private, loopback or link-local"), "{error}");
        assert_eq!((row.failures, fixture.receiver.received().len()), (1, 0));
        let owner = fixture.owner.clone();
        let ping = fixture.world.engine().webhooks().send_ping(owner, fixture.project, webhook.webhook.id).await;
        assert_eq!((ping.unwrap().delivered, fixture.receiver.received().len()), (false, 0));
    }

    async fn s_6_a_connection_goes_to_the_address_that_was_checked(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::new(&database, &["hooks.example"]).await;
        // No resolver of the machine knows this name: a second look-up would fail.
        fixture.resolver.set("hooks.example", LOCAL);
        let url = format!("http://hooks.example:{}/", fixture.receiver.port());
        fixture.try_add(WebhookSpec { url, ..fixture.spec() }).await.unwrap();
        fixture.deliver().await;
        let received = fixture.receiver.received();
        assert_eq!(received.len(), 1);
        assert!(received[0].header("host").starts_with("hooks.example:"));
    }

    async fn s_6_a_redirect_is_not_followed(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let inside = WebhookReceiver::start().await;
        let webhook = fixture.add().await;
        fixture.receiver.answer_next([ReceiverAnswer::Redirect(inside.url())]);
        fixture.deliver().await;
        let error = fixture.load(&webhook).await.last_error.unwrap();
        assert!(error.contains("follows no redirects"), "{error}");
        assert_eq!((fixture.receiver.received().len(), inside.received().len()), (1, 0));
    }

    async fn s_6_events_stop_when_the_owner_leaves_and_the_time_away_is_never_sent(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.deliver().await;
        fixture.leave().await;
        fixture.make_events(2).await;
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), 1, "nothing after the removal");
        let row = fixture.load(&webhook).await;
        assert!(!row.enabled && row.disabled_reason.unwrap().contains("no longer a member"));
        let Actor::User { id } = fixture.owner else { panic!("a user") };
        fixture.join(id).await;
        let joined = fixture.latest_seq().await;
        fixture.change(&webhook, WebhookChange { enabled: Some(true), ..WebhookChange::default() }).await;
        fixture.deliver().await;
        assert_eq!(fixture.receiver.sequence()[1..], [joined, joined + 1], "only events of the new membership");
        assert!(members::is_member(fixture.world.engine().db(), id, members::ProjectResource::Project(fixture.project)).await.unwrap());
    }

    async fn s_2_a_test_and_a_redelivery_are_answered_and_do_not_move_the_position(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.receiver.answer_next([refused(500)]);
        fixture.deliver().await;
        let (webhooks, id) = (fixture.world.engine().webhooks(), webhook.webhook.id);
        let before = fixture.load(&webhook).await;
        let again = webhooks.redeliver(fixture.project, id, 1).await.unwrap();
        assert_eq!((again.kind, again.seq, again.delivered), (DeliveryKind::Redelivery, Some(before.position + 1), true));
        let received = fixture.receiver.received();
        assert_eq!(received[0].header("webhook-id"), received[1].header("webhook-id"));
        assert_eq!(fixture.load(&webhook).await.position, before.position);
        let ping = webhooks.send_ping(fixture.owner.clone(), fixture.project, id).await.unwrap();
        assert_eq!((ping.kind, ping.number, ping.http_status), (DeliveryKind::Ping, 3, Some(204)));
        let message = &fixture.receiver.received()[2];
        assert_eq!(message.json()["type"], "webhook.ping");
        assert!(message.is_signed_with(webhook.secret.expose()));
        assert_eq!(fixture.load(&webhook).await.due_at, fixture.world.engine().now(), "the receiver works again");
        fixture.deliver().await;
        assert_eq!(fixture.load(&webhook).await.position, fixture.latest_seq().await);
        let refused = webhooks.redeliver(fixture.project, id, 3).await;
        assert!(matches!(refused, Err(EngineError::InvalidField { field: "number", .. })), "{refused:?}");
    }

    async fn s_6_events_stop_when_the_owners_account_is_removed(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let accounts = fixture.world.engine().accounts();
        let spec = UserSpec { name: "root".to_owned(), password: None, role: AccountRole::Admin };
        let admin = accounts.create_user(spec).await.unwrap().id;
        let webhook = fixture.add().await;
        let Actor::User { id } = fixture.owner else { panic!("a user") };
        accounts.remove_user(admin, id).await.unwrap();
        fixture.deliver().await;
        assert!(!fixture.load(&webhook).await.enabled && fixture.receiver.received().is_empty());
        let enabled = WebhookChange { enabled: Some(true), ..WebhookChange::default() };
        let webhooks = fixture.world.engine().webhooks();
        let (admin, hook) = (Actor::User { id: admin }, webhook.webhook.id);
        webhooks.change(admin, fixture.project, hook, enabled).await.unwrap();
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), 3, "an admin took it over and reads everything");
    }

    async fn s_2_a_removed_project_sends_nothing(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        fixture.add().await;
        let projects = fixture.world.engine().projects();
        projects.remove_project(fixture.owner.clone(), fixture.project).await.unwrap();
        fixture.deliver().await;
        assert_eq!(fixture.receiver.received().len(), 0);
    }

    async fn s_6_an_event_from_before_the_owners_membership_is_not_sent_again(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.deliver().await;
        fixture.leave().await;
        let Actor::User { id } = fixture.owner else { panic!("a user") };
        let webhooks = fixture.world.engine().webhooks();
        let refused = webhooks.redeliver(fixture.project, webhook.webhook.id, 1).await;
        assert!(matches!(refused, Err(EngineError::InvalidField { field: "number", .. })), "{refused:?}");
        fixture.join(id).await;
        let refused = webhooks.redeliver(fixture.project, webhook.webhook.id, 1).await;
        assert!(matches!(refused, Err(EngineError::InvalidField { field: "number", .. })), "{refused:?}");
        assert_eq!(fixture.receiver.received().len(), 1);
    }

    async fn s_2_the_latest_hundred_deliveries_are_kept(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        fixture.make_events(104).await;
        fixture.deliver().await;
        let numbers: Vec<_> = fixture.deliveries(&webhook).await.iter().map(|row| row.number).collect();
        assert_eq!(numbers, (6..=105).rev().collect::<Vec<_>>());
    }

    async fn s_6_a_secret_is_stored_encrypted_and_can_be_replaced(database: Arc<TestDatabase>) {
        let fixture = WebhookFixture::local(&database).await;
        let webhook = fixture.add().await;
        assert!(!webhook.webhook.sealed_secret.contains("whsec"));
        let other = forge_engine::SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        fixture.change(&webhook, WebhookChange { secret: Some(other.clone()), ..WebhookChange::default() }).await;
        fixture.deliver().await;
        let received = fixture.receiver.received();
        assert!(!received.is_empty() && received.iter().all(|message| message.is_signed_with(other.expose())));
    }
}
