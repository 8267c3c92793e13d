//! The project of the current directory (SPEC S-4).

use std::fs;

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project};
use crate::forge::CliUser;
use crate::played_server::StubServer;

#[test]
fn s_4_a_repository_or_workspace_of_one_project_selects_it() {
    let mut user = CliUser::new();
    let home = user.home.path().canonicalize().expect("a path");
    // A checkout, a worktree of it, a worktree of a bare clone, and a repository of no project.
    let (repo, bare) = (home.join("shop"), home.join("clone.git"));
    for (common, name) in [(repo.join(".git"), "work"), (bare.clone(), "bare-work")] {
        let record = common.join("worktrees").join(name);
        fs::create_dir_all(&record).expect("made");
        fs::write(record.join("commondir"), "../..\n").expect("written");
        let worktree = home.join(name);
        fs::create_dir_all(worktree.join("deep")).expect("made");
        let link = format!("gitdir: {}\n", record.display());
        fs::write(worktree.join(".git"), link).expect("written");
    }
    fs::create_dir_all(home.join("other/.git")).expect("made");
    fs::create_dir_all(home.join("both/.git")).expect("made");
    let at = |id: &str, path: &str| {
        json!({ "id": id, "project_id": id, "name": "r", "path": path, "url": null,
                "default_branch": "main", "primary": true, "created_at": AT })
    };
    let [repo, bare, both] =
        [repo, bare, home.join("both")].map(|path| path.to_str().expect("UTF-8").to_owned());
    let server = StubServer::new(move |asked| {
        if asked.starts_with("GET /projects?") {
            let mut beta = project("Beta");
            beta["id"] = json!(TASK);
            return page(json!([project("Alpha"), beta]));
        }
        let rest = asked.strip_prefix("GET /projects/")?;
        let (id, rest) = rest.split_once('/')?;
        match rest.split('?').next()? {
            "repos" if id == PROJECT => page(json!([at(id, &repo), at(id, &both)])),
            "repos" => page(json!([at(id, &bare), at(id, &both)])),
            "tasks" => page(json!([])),
            _ => None,
        }
    });
    user.set("FORGE_URL", &server.url);
    for (place, expected) in
        [("shop", PROJECT), ("work", PROJECT), ("work/deep", PROJECT), ("bare-work", TASK)]
    {
        let ended = user.run_in(&home.join(place), &["task", "list", "--json"]);
        assert_eq!(ended.code, 0, "{place}: {ended:?}");
        let asked = server.requests().pop().expect("a request");
        assert!(asked.contains(&format!("/projects/{expected}/tasks")), "{place}: {asked}");
    }
    for (place, problem) in [
        ("both", "several projects have this repository"),
        ("other", "there are several projects"),
        (".", "there are several projects"),
    ] {
        let ended = user.run_in(&home.join(place), &["task", "list"]);
        assert_eq!(ended.code, 2, "{place}: {ended:?}");
        assert!(ended.err.contains(problem), "{place}: {}", ended.err);
        assert!(ended.err.contains("hint: projects: Alpha, Beta"), "{place}: {}", ended.err);
    }
    let named = user.run_in(&home.join("shop"), &["task", "list", "--json", "--project", "Beta"]);
    assert_eq!(named.code, 0, "{named:?}");
    assert_eq!(serde_json::from_str::<Value>(&named.out).expect("JSON")["items"], json!([]));
}
