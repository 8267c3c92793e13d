//! GitHub's merge button, implemented with the real git in a bare repository.

use crate::test_repository::TestRepository;

/// Whether one commit merges cleanly into another.
pub async fn merges_cleanly(hub: &TestRepository, base: &str, head: &str) -> bool {
    hub.try_git(&["merge-tree", "--write-tree", base, head]).await.0
}

/// Merges a commit into a branch with the given method and returns the new tip. The commits must merge cleanly.
pub async fn merge_into_branch(
    hub: &TestRepository,
    branch: &str,
    head: &str,
    method: &str,
    message: &str,
) -> String {
    let base = hub.git(&["rev-parse", branch]).await;
    let merged = match method {
        "rebase" => {
            let listed = hub.git(&["rev-list", "--reverse", &format!("{base}..{head}")]).await;
            let mut onto = base.clone();
            for commit in listed.lines() {
                let before = format!("--merge-base={commit}^");
                let tree = hub.git(&["merge-tree", "--write-tree", &before, &onto, commit]).await;
                let words = hub.git(&["log", "-1", "--format=%B", commit]).await;
                onto = hub.git(&["commit-tree", "-p", &onto, "-m", &words, &tree]).await;
            }
            onto
        }
        method => {
            let tree = hub.git(&["merge-tree", "--write-tree", &base, head]).await;
            let mut arguments = vec!["commit-tree", "-p", &base];
            if method == "merge" {
                arguments.extend(["-p", head]);
            }
            arguments.extend(["-m", message, &tree]);
            hub.git(&arguments).await
        }
    };
    hub.git(&["update-ref", &format!("refs/heads/{branch}"), &merged, &base]).await;
    merged
}
