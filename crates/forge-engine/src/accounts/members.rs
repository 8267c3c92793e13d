//! Members of a project (S-6).

use crate::accounts::accounts_handle::Accounts;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::{Actor, ProjectId, Timestamp, UserId};
use forge_store::tables::{self, events::NewEvent, members::MemberRow, projects::ProjectRow};

impl Accounts {
    /// Makes a user a member of a project; repeating it changes nothing.
    pub async fn add_member(
        &self,
        actor: Actor,
        project: ProjectId,
        user: UserId,
    ) -> Result<MemberRow, EngineError> {
        let name = require_found(tables::users::load(&self.db, user).await?, "user", user)?.name;
        let now = self.clock.now();
        self.db
            .write(move |tx| {
                let (actor, name) = (actor.clone(), name.clone());
                Box::pin(async move {
                    // The project's lock orders concurrent additions of the same user.
                    let board = require_found(
                        tables::projects::lock(tx, project).await?,
                        "project",
                        project,
                    )?;
                    if let Some(member) = tables::members::load_in(tx, project, user).await? {
                        return Ok(member);
                    }
                    let member = MemberRow { user_id: user, name, created_at: now };
                    let event = event("project.member_added", &board, &member, now);
                    let seq = append_events(tx, project, &actor, &[event]).await?;
                    // The first event that the new member sees is the addition.
                    tables::members::add(tx, project, user, seq - 1, now).await?;
                    Ok(member)
                })
            })
            .await
    }

    /// Ends a user's membership, if there is one.
    pub async fn remove_member(
        &self,
        actor: Actor,
        project: ProjectId,
        user: UserId,
    ) -> Result<(), EngineError> {
        let now = self.clock.now();
        self.db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    let board = require_found(
                        tables::projects::lock(tx, project).await?,
                        "project",
                        project,
                    )?;
                    let Some(member) = tables::members::load_in(tx, project, user).await? else {
                        return Ok(());
                    };
                    tables::members::remove(tx, project, user).await?;
                    let event = event("project.member_removed", &board, &member, now);
                    append_events(tx, project, &actor, &[event]).await?;
                    Ok(())
                })
            })
            .await
    }
}

fn event(kind: &str, project: &ProjectRow, member: &MemberRow, at: Timestamp) -> NewEvent {
    let data = serde_json::json!({ "user_id": member.user_id, "name": member.name });
    NewEvent { kind: kind.to_owned(), version: project.version, at, data }
}
