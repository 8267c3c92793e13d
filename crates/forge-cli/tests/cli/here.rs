//! The project of the current directory (SPEC S-4).

use std::path::Path;

use serde_json::{Value, json};

use crate::answers::{page, project};
use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;
use crate::stub_server::StubServer;
use crate::walk::git;

#[test]
fn s_4_a_repository_or_workspace_of_one_project_selects_it() {
    let fixture = CliFixture::start();
    let home = fixture.user.home.path().canonicalize().expect("a path");
    // A checkout, a worktree of it, a worktree of a bare clone, and a repository of no project.
    let [shop, other] = ["shop", "other"].map(|name| home.join(name));
    for repo in [&shop, &other] {
        std::fs::create_dir(repo).expect("made");
        git(repo, &["init", "-q"]);
        git(repo, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
    }
    let bare = home.join("clone.git");
    git(&shop, &["clone", "-q", "--bare", ".", text(&bare)]);
    git(&shop, &["worktree", "add", "-q", "-b", "side", text(&home.join("work"))]);
    std::fs::create_dir(home.join("work/deep")).expect("made");
    git(&bare, &["worktree", "add", "-q", "-b", "side", text(&home.join("bare-work"))]);
    for (project, repo) in [("Alpha", &shop), ("Beta", &bare)] {
        fixture.run(&["project", "new", project]);
        fixture.run(&["repo", "add", text(repo), "--project", project]);
        fixture.run(&["task", "new", &format!("In {project}"), "--project", project]);
    }
    for (place, project) in
        [("shop", "Alpha"), ("work", "Alpha"), ("work/deep", "Alpha"), ("bare-work", "Beta")]
    {
        let ended = fixture.user.run_in(&home.join(place), &["task", "list", "--json"]);
        assert_eq!(ended.code, 0, "{place}: {ended:?}");
        let tasks: Value = serde_json::from_str(&ended.out).expect("JSON");
        assert_eq!(tasks["items"][0]["title"], json!(format!("In {project}")), "{place}");
    }
    for place in ["other", "."] {
        let ended = fixture.user.run_in(&home.join(place), &["task", "list"]);
        assert_eq!(ended.code, 2, "{place}: {ended:?}");
        assert!(ended.err.contains("there are several projects"), "{place}: {}", ended.err);
        assert!(ended.err.contains("hint: projects: Alpha, Beta"), "{place}: {}", ended.err);
    }
    let named =
        fixture.user.run_in(&home.join("shop"), &["task", "list", "--json", "--project", "Beta"]);
    assert_eq!(named.code, 0, "{named:?}");
    let tasks: Value = serde_json::from_str(&named.out).expect("JSON");
    assert_eq!(tasks["items"][0]["title"], "In Beta");
    fixture.stop();
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The server gives a repository to one project only; a database of an earlier version may have it twice.
#[test]
fn s_4_a_repository_of_several_projects_selects_none() {
    let ids = ["01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"];
    let mut user = CliUser::new();
    let both = user.home.path().canonicalize().expect("a path").join("both");
    std::fs::create_dir_all(both.join(".git")).expect("made");
    let path = text(&both).to_owned();
    let server = StubServer::new(move |asked| {
        if asked.starts_with("GET /projects?") {
            return page(json!([project(ids[0], "Alpha"), project(ids[1], "Beta")]));
        }
        let id = ids.iter().find(|id| asked.starts_with(&format!("GET /projects/{id}/repos")))?;
        page(json!([{ "id": id, "project_id": id, "name": "r", "path": path, "url": null,
            "default_branch": "main", "primary": true, "created_at": "2026-01-02T03:04:05Z" }]))
    });
    user.set("FORGE_URL", &server.url);
    let ended = user.run_in(&both, &["task", "list"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.err.contains("several projects have this repository"), "{}", ended.err);
    assert!(ended.err.contains("hint: projects: Alpha, Beta"), "{}", ended.err);
}
