//! Who works in a project (S-6).

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use forge_domain::{Actor, ProjectId, Timestamp, UserId};
use forge_store::tables::{self, events::NewEvent, members::Member, projects::Project};

impl Engine {
    /// Makes a person a member of a project; doing so twice changes nothing.
    pub async fn add_member(
        &self,
        actor: Actor,
        project: ProjectId,
        user: UserId,
    ) -> Result<Member, EngineError> {
        let name = found(tables::users::load(self.db(), user).await?, "user", user)?.name;
        let now = self.now();
        self.0
            .db
            .write(move |tx| {
                let (actor, name) = (actor.clone(), name.clone());
                Box::pin(async move {
                    // The project's lock makes one of two who add the same person the second.
                    let board =
                        found(tables::projects::lock(tx, project).await?, "project", project)?;
                    if let Some(member) = tables::members::load_in(tx, project, user).await? {
                        return Ok(member);
                    }
                    let member = Member { user_id: user, name, created_at: now };
                    let event = event("project.member_added", &board, &member, now);
                    let seq = tables::events::append(tx, project, &actor, None, &[event]).await?;
                    // That they were added is the first thing they are told.
                    tables::members::add(tx, project, user, seq - 1, now).await?;
                    Ok(member)
                })
            })
            .await
    }

    /// Ends a person's membership; where there is none, nothing changes.
    pub async fn remove_member(
        &self,
        actor: Actor,
        project: ProjectId,
        user: UserId,
    ) -> Result<(), EngineError> {
        let now = self.now();
        self.0
            .db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    let board =
                        found(tables::projects::lock(tx, project).await?, "project", project)?;
                    let Some(member) = tables::members::load_in(tx, project, user).await? else {
                        return Ok(());
                    };
                    tables::members::remove(tx, project, user).await?;
                    let event = event("project.member_removed", &board, &member, now);
                    tables::events::append(tx, project, &actor, None, &[event]).await?;
                    Ok(())
                })
            })
            .await
    }
}

fn event(kind: &str, project: &Project, member: &Member, at: Timestamp) -> NewEvent {
    let data = serde_json::json!({ "user_id": member.user_id, "name": member.name });
    NewEvent { kind: kind.to_owned(), version: project.version, at, data }
}
