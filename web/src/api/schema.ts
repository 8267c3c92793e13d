// Generated from docs/openapi.json by `npm run generate`. Change the server, not this file.

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description By name.
         */
        get: operations["list_agents"];
        put?: never;
        /** Create an agent */
        post: operations["create_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who works, who is stuck, what failed and what was left, each with what tells so and for how long. */
        get: operations["check_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an agent */
        get: operations["get_agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description What is left out stays; a stale `version` is refused. What it runs goes on as it was begun.
         */
        patch: operations["update_agent"];
        trace?: never;
    };
    "/api/v1/agents/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an agent
         * @description It takes no new work; what it runs goes on. Pausing it again changes nothing.
         */
        post: operations["pause_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume an agent */
        post: operations["resume_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same of all runs of an agent, in the projects that the caller may see. */
        get: operations["get_agent_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the one-time link of the first start
         * @description Makes the first admin. The link works once; a used or expired one answers `link_used`.
         */
        post: operations["use_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the browser session; a token stays valid until it is revoked.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the caller is */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a demonstration
         * @description Makes a throw-away repository and a project with scripted agents that work on it at once. Each call makes another.
         */
        post: operations["start_demo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/demo/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See how a demonstration stands */
        get: operations["get_demo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream what happens
         * @description Server-sent events whose data is an `Event`. The stream begins now; send the last id as `Last-Event-ID` (or
         *     `after`) to go on after it without a gap, or `after=0` for everything that is stored. Who is no admin gets what
         *     belongs to no project and what happens in the projects they are a member of, while they are.
         */
        get: operations["stream_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run. */
        get: operations["get_execution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/follow-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Goes on with the conversation of a run that is over, in the same workspace.
         * @description The task must rest, its agent must still hold the role, and the task must be where that role works or be movable
         *     there.
         */
        post: operations["follow_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Some events of a run's log, by number. Secrets are taken out. */
        get: operations["get_execution_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/log/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A part of a run's output, by bytes; pages end between characters. Secrets are taken out. */
        get: operations["get_execution_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/log/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a run's log
         * @description Server-sent events named `log` whose data is a `LogEvent` and whose id is its number, from the beginning or after the
         *     number in `Last-Event-ID` (or `after`), as they come. When the run is over one named `end` follows, and the stream
         *     ends.
         */
        get: operations["stream_execution_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/mark-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a run for failed, whatever it says: it is stopped, and its task goes where failed ones go. */
        post: operations["fail_execution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/pulse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a run is doing: its last sign of life, what it said, what it does and changes. Secrets are masked. */
        get: operations["get_pulse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins the last run of a task anew, with the work as it is; one under way is stopped first. From where a failed run
         *     parked its task, the task goes back to the work.
         */
        post: operations["restart_execution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/steer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says something to an agent at work.
         * @description Where its program can hear it the agent is told in the middle of its turn; else, or if it does not take the message
         *     before its end, another turn with the message follows this one. Until then the task lists it in `messages`.
         */
        post: operations["steer_execution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a run. The task stays where it is, and nothing goes on by itself: begin the run anew, or move the task. */
        post: operations["stop_execution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/verdict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says what the reviewer thinks, with the token of its run. The last word before the run ends counts, and it counts
         *     before anything in its output.
         */
        post: operations["give_verdict"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change one's own password
         * @description With the old one, which is not needed by who has none yet. All other browsers are signed out; tokens stay valid.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description All for admins, else those the caller is a member of.
         */
        get: operations["list_projects"];
        put?: never;
        /**
         * Create a project
         * @description Its workflow is a template's name or a whole definition; a definition with mistakes is refused with all of them.
         *     Whoever creates it is its first member. With `repo_path` it gets its first repository in the same moment: both are
         *     made, or neither is.
         */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a project */
        get: operations["get_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description What is left out stays; a stale `version` is refused.
         */
        patch: operations["update_project"];
        trace?: never;
    };
    "/api/v1/projects/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is known of a project's checks
         * @description Of its primary repository; those that gave two results on one tree most often come first.
         */
        get: operations["list_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/checks/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Blame nobody for the failure of a check for a while
         * @description Its result is still recorded, and shown as `quarantined`.
         */
        post: operations["quarantine_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live branches that clash with each other
         * @description Every pair of live branches of a repository is merged, without a checkout, soon after one of them moved; work that is
         *     saved in the journal counts as if it were committed. `conflict.detected` and `conflict.cleared` tell of changes.
         */
        get: operations["list_conflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's members
         * @description By name. Admins see every project and need not be members.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Add a member to a project
         * @description From then on they see and change it, and get its events. Adding somebody again changes nothing.
         */
        post: operations["add_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a project
         * @description Oneself too. From then on the project is not there for them, and their event streams say nothing of it. Roles they
         *     hold on its tasks stay until they are given to somebody else.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a project
         * @description Agents may not claim while it is paused; people may. Pausing it again changes nothing.
         */
        post: operations["pause_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a project's repositories */
        get: operations["list_repos"];
        put?: never;
        /**
         * Add a repository to a project
         * @description By its absolute path on the server's disk, or by the address (`https://`, `http://`, `ssh://`, `file://`) of a remote,
         *     which is cloned before the answer. The first one is the primary one.
         */
        post: operations["add_repo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos/{repo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a repository from a project
         * @description Refused while a task needs it. The repository on the server's disk is left as it is; of one that was added by its
         *     address the clone is set aside in the data directory. If it was the primary one, the one that was added first of those
         *     left is.
         */
        delete: operations["remove_repo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos/{repo}/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a repository a token of its own
         * @description In place of the one it had. It is stored sealed, handed to git by a pipe, and never answered again.
         */
        put: operations["put_repo_credential"];
        post?: never;
        /** Take a repository's token away */
        delete: operations["delete_repo_credential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos/{repo}/remote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a repository is reached elsewhere */
        get: operations["get_repo_remote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change whether what lands is pushed, and which installation of the GitHub App opens it
         * @description What was cloned from elsewhere is pushed unless this says otherwise; a repository on the server's disk is not, until
         *     this says so.
         */
        patch: operations["change_repo_remote"];
        trace?: never;
    };
    "/api/v1/projects/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a project */
        post: operations["resume_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists a project's tasks; archived ones only on request. */
        get: operations["list_tasks"];
        put?: never;
        /** Creates a task in the project's initial state. */
        post: operations["create_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tasks/by-number/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The task with this number on the project's board: 12 for T-12. */
        get: operations["get_task_by_number"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/train": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who waits to land
         * @description One entry for each target branch that tasks of this project wait for, with everybody who waits there. A train that
         *     another server runs is shown with this project's tasks only, and without how they stand. To take a task out, move it
         *     to where people look after it; to try it again, move it back.
         */
        get: operations["get_train"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/train/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let nothing of a project land for now
         * @description What is being tried goes on. Pausing it again changes nothing.
         */
        post: operations["pause_train"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/train/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a project's tasks land again */
        post: operations["resume_train"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same of all runs in a project. */
        get: operations["get_project_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks that wait for an agent
         * @description The first two hundred in the order in which they are given out, each with what keeps it.
         */
        get: operations["list_waiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a project's workflow */
        get: operations["get_project_workflow"];
        /**
         * Replace a project's workflow
         * @description Its tasks that have not ended go on in the new one, at once and all together: each in the state that `mapping` gives
         *     for its own, else in the one of the same name. Both must be of the same kind, so nothing is begun or ended by it: a
         *     running agent goes on. States that hold tasks and have no such successor are refused with `workflow_in_use`, and
         *     nothing is changed. Ended tasks keep the workflow they ended in.
         */
        put: operations["replace_project_workflow"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One attempt. */
        get: operations["get_review"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reviews/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A part of the output of an attempt's checks, by bytes; pages end between characters. */
        get: operations["get_review_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/dispatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how giving out tasks stands */
        get: operations["get_dispatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/dispatch/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause giving out tasks as a whole
         * @description For admins. What runs goes on, and people may still claim. Pausing it again changes nothing.
         */
        post: operations["pause_dispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/dispatch/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume giving out tasks */
        post: operations["resume_dispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show versions and places */
        get: operations["system_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what the last start put right */
        get: operations["system_recovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task. */
        get: operations["get_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes a task's own fields; its status changes by a transition. */
        patch: operations["update_task"];
        trace?: never;
    };
    "/api/v1/tasks/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller can do with the task now, each as the request that does it. */
        get: operations["list_actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hides a task from lists. */
        post: operations["archive_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a task; its processes are gone before the answer. */
        post: operations["cancel_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claims a task for an agent, or for the caller; answers once the workspace is ready. */
        post: operations["claim_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's comments, the oldest first. */
        get: operations["list_comments"];
        put?: never;
        /** Writes a comment, or an answer to one. */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/dependencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tasks this one waits for. */
        get: operations["list_dependencies"];
        put?: never;
        /** Makes the task wait for another of its project. */
        post: operations["add_dependency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/dependencies/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Makes the task wait for another no longer. */
        delete: operations["remove_dependency"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the task changed. Binary and huge files are named, not shown. Once the workspace is gone: what landed, or what
         *     is left on the branch.
         */
        get: operations["get_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/diff/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what the task changes
         * @description Server-sent events: a `diff` whose data is a `DiffNews` at once and then whenever the changes are others, and an
         *     `end` when the workspace is gone. A file that is written is told of within a moment.
         */
        get: operations["stream_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's runs, the oldest first. */
        get: operations["list_executions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets go of a task: its run is stopped and its work kept before the answer, nobody carries it any more, and the next
         *     claim goes on in the same worktree on the same branch, with the note in its prompt.
         */
        post: operations["hand_off_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved states of a task's workspace, newest first. */
        get: operations["list_journal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/journal/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an entry changed since the one before or since the task's beginning, or what has changed since. */
        get: operations["get_journal_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/journal/{number}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a task whose workspace begins with an entry's files. */
        post: operations["fork_journal_entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/journal/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes the workspace's files those of an entry; what is there now becomes an entry first. Refused while somebody
         *     works there.
         */
        post: operations["restore_journal_entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exactly what a role would be told if its turn began now. */
        get: operations["preview_prompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/pull_request/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a task's pull request now
         * @description Instead of at the next time it would be looked at anyway, which is two minutes later at most. Changes nothing for a task
         *     that does not wait for one. The answer is the task as it was before the look; events say what was seen.
         */
        post: operations["look_at_pull_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/rebase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merges the target into the task's branch, in its workspace, and sends the task back to work. A conflict is left in
         *     the files, with git's marks; the next prompt names them. What was not committed is, and is in the journal too.
         */
        post: operations["rebase_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/regressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that what the task landed broke something; makes the task that mends it. Asked again, it names the same task. */
        post: operations["report_regression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a task that takes back what this one landed; its branch holds the inverse, and it begins at the gate. Where
         *     later work stands in the way, both sides are in its workspace. Asked again, it names the same task.
         */
        post: operations["revert_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's attempts at gates, the first one first. */
        get: operations["list_reviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/reviews/{attempt}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets the last attempt pass: in the place of its reviewer, or, with a reason, against what the gate decided. It lands
         *     like any other; what it lacks is a receipt.
         */
        post: operations["approve_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/reviews/{attempt}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the work of the last attempt back; the coder is told why, and no attempt is spent. */
        post: operations["reject_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/roles/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a role to an agent or a person. Whoever works in the role that carries the task is stopped before the answer,
         *     and the task goes back to its queue.
         */
        post: operations["assign_role"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's steps in the order they were wanted. */
        get: operations["list_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/subtasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tasks that are part of this one: its ordered turns in their order, then the independent ones. */
        get: operations["list_subtasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/transition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Moves a task. Into a gate, the answer is `{task, review}` once the checks have run; into a merge state, the task
         *     after the landing.
         */
        post: operations["move_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/transitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of the task's status, the first one first. */
        get: operations["list_transitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows an archived task in lists again. */
        post: operations["unarchive_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens and cost of a task's runs, where their programs told. */
        get: operations["get_task_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say why a task waits
         * @description For every task that an agent could claim; `reasons` is empty for any other.
         */
        get: operations["why_task_waits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's workspace: where it is, how far from its target, what is not committed, who works there. */
        get: operations["get_workspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/workspace/clean": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes a task's worktree now, or says what that would do. Work in no commit is saved first, and the branch stays
         *     unless its content landed.
         */
        post: operations["clean_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/workspace/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Throws a task's workspace away and makes a new one from the target branch. What was in it is kept in the journal
         *     and the archive; the task can be claimed again.
         */
        post: operations["reset_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/workspace/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last setup of a task's workspace, with a part of its output, by bytes; parts end between characters. */
        get: operations["get_workspace_setup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller's tokens */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Create a token for the caller
         * @description The answer is the only place that ever shows the secret.
         */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description One's own, or anybody's for an admin. From then on it opens nothing; revoking it again changes nothing.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description In the order in which they were added. Everybody may see who there is: names stand beside what somebody did, and who
         *     an admin is must be known to be asked.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * Create a user
         * @description For admins.
         */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a user
         * @description Everybody may, as with the list.
         */
        get: operations["get_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflow templates
         * @description A project can name any of them as its workflow.
         */
        get: operations["list_workflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The workspaces on disk, by directory, each as it stands. What did not change since it was last looked at costs
         *     no git process.
         */
        get: operations["list_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/clean": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes the workspaces of all tasks that have ended, or says what that would do. Orphans are named and left alone. */
        post: operations["clean_workspaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Directories under the workspace root that belong to no live task. Forge never deletes them by itself. */
        get: operations["list_orphans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Something this caller can do with the task now. */
        Action: {
            /** @description What it is, for people. */
            label: string;
            /** @description The HTTP method. */
            method: string;
            /** @description What it is, for programs. */
            name: string;
            /** @description What the request body takes. */
            parameters: components["schemas"]["ActionParameter"][];
            /** @description The path, from the server's root. */
            path: string;
            /** @description The state a move leads to. */
            target: string | null;
        };
        /** @description A field of the action's request body. */
        ActionParameter: {
            /** @description The values it can have, where they are few. */
            choices: string[] | null;
            /** @description What kind of value it takes. */
            kind: components["schemas"]["ParameterKind"];
            /** @description The field's name. */
            name: string;
            /** @description Whether it must be given. */
            required: boolean;
        };
        /** @description Who did something. Only appears in answers: callers are identified by their token, never by what they claim. */
        Actor: {
            /**
             * Format: uuid
             * @description The user.
             */
            id: string;
            /** @enum {string} */
            kind: "user";
            /** @description The user's name, where the server looked it up. */
            name: string | null;
        } | {
            /**
             * Format: uuid
             * @description The execution it acted in.
             */
            execution_id: string;
            /**
             * Format: uuid
             * @description The agent.
             */
            id: string;
            /** @enum {string} */
            kind: "agent";
            /** @description The agent's name, where the server looked it up. */
            name: string | null;
        } | {
            /** @description Which part of it. */
            component: string;
            /** @enum {string} */
            kind: "system";
        };
        /** @description A named worker. */
        Agent: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Goes away when its work is finished. */
            ephemeral: boolean;
            /** @description The program behind it. */
            executor: components["schemas"]["Executor"];
            /**
             * Format: uuid
             * @description The agent that takes over when its allowance is used up (SPEC E-9).
             */
            fallback: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /**
             * Format: int32
             * @description How many executions it may run at once.
             */
            max_concurrent: number;
            /** @description Name. */
            name: string;
            /** @description Takes no new work. */
            paused: boolean;
            /** @description The roles it can take; empty for any. */
            roles: string[];
            /**
             * Format: int64
             * @description Changes with every write.
             */
            version: number;
        };
        /** @description One of them. */
        AgentFinding: {
            /**
             * Format: int64
             * @description How long that is.
             */
            age_seconds: number;
            /**
             * Format: uuid
             * @description The agent of that run.
             */
            agent_id: string | null;
            /** @description What tells so. */
            evidence: string;
            /**
             * Format: uuid
             * @description The run under way, else the last one.
             */
            execution_id: string | null;
            /** @description Its number as people write it. */
            key: string;
            /**
             * Format: uuid
             * @description Its project.
             */
            project_id: string;
            /** @description Its role. */
            role: string | null;
            /**
             * Format: date-time
             * @description Since when it is so.
             */
            since: string;
            /** @description The workflow state it is in. */
            status: string;
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
            /** @description Its title. */
            title: string;
            /** @description Where it works or worked. */
            worktree: string | null;
        };
        /** @description Changes an agent; what is left out stays. */
        AgentPatch: {
            /**
             * @description New call of its program, as a whole; its kind stays what it is, and running executions keep the old one. A
             *     variable whose value is `[redacted]`, as answers show it, keeps its value.
             */
            executor?: components["schemas"]["Executor"];
            /**
             * Format: uuid
             * @description Who takes over when its allowance is used up (SPEC E-9); `null` for nobody.
             */
            fallback?: string | null;
            /**
             * Format: int32
             * @description New limit.
             */
            max_concurrent?: number;
            /** @description New name. */
            name?: string;
            /** @description New list of roles. */
            roles?: string[];
            /**
             * Format: int64
             * @description The version the caller read.
             */
            version: number;
        };
        /** @description All runs and workspaces at a glance. */
        AgentsCheck: {
            /** @description Workspaces of tasks that are not finished, in which nobody works. */
            abandoned: components["schemas"]["AgentFinding"][];
            /** @description Tasks whose last run, or what should have led to one, failed. */
            failed: components["schemas"]["AgentFinding"][];
            /** @description Agents at work. */
            running: components["schemas"]["AgentFinding"][];
            /** @description Agents that show no sign of life, and tasks whose agent was stopped for that. */
            stuck: components["schemas"]["AgentFinding"][];
        };
        /** @description Lets an attempt pass. */
        ApproveReview: {
            /** @description Why; needed where the gate has decided otherwise. */
            reason?: string | null;
        };
        /** @description Gives a task's role to an agent or a user: exactly one of the two is given. */
        AssignRole: {
            /**
             * Format: uuid
             * @description The agent that gets the role.
             */
            agent_id?: string | null;
            /** @description Remove the whole workspace, after a snapshot; the next claim starts afresh. */
            reset_workspace?: boolean;
            /** @description Drop uncommitted changes in the worktree, after a snapshot; commits stay. */
            reset_worktree?: boolean;
            /**
             * Format: uuid
             * @description The user who gets the role.
             */
            user_id?: string | null;
        };
        /** @description Who holds a role: exactly one of the two is given. */
        Assignee: {
            /**
             * Format: uuid
             * @description An agent.
             */
            agent_id?: string | null;
            /**
             * Format: uuid
             * @description A person.
             */
            user_id?: string | null;
        };
        /** @description One template for every kind of task, or a table with one for each. */
        BranchTemplate: string | components["schemas"]["BranchTemplates"];
        /** @description A template for each kind of task that has a branch; `null` for the kind's default. */
        BranchTemplates: {
            /** @description Of pipeline runs: `run/{id}`. */
            run?: string | null;
            /** @description Of sessions: `session/{agent}-{timestamp}`. */
            session?: string | null;
            /** @description Of a board's tasks: `forge/{number}-{slug}`. */
            task?: string | null;
        };
        /** @description How much agents may use; what is not named has no limit. */
        Budget: {
            /**
             * Format: int64
             * @description Millionths of a US dollar.
             */
            cost_micro_usd?: number | null;
            /**
             * Format: int64
             * @description Tokens, read and written.
             */
            tokens?: number | null;
        };
        /**
         * @description What the engine is doing for a task right now.
         * @enum {string}
         */
        Busy: "stopping" | "preparing" | "running" | "checking" | "judging" | "landing" | "cleaning" | "rebasing" | "reverting";
        /** @description Ends a task for good. */
        Cancel: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        /**
         * @description What is known of a task with all before it on top of the target.
         * @enum {string}
         */
        CarStanding: "waiting" | "running" | "passed" | "failed" | "clashes" | "empty" | "unknown";
        /** @description Gives the caller another password. */
        ChangePassword: {
            /**
             * Format: password
             * @description The one there is to be.
             */
            new_password: string;
            /**
             * Format: password
             * @description The one there is; left out by who has none.
             */
            old_password?: string | null;
        };
        /** @description What is known of one check of a project's repository. */
        CheckRecord: {
            /** @description The command. */
            command: string;
            /**
             * Format: int64
             * @description How often it did not pass.
             */
            failures: number;
            /**
             * Format: int64
             * @description How often it passed on a tree on which it had failed.
             */
            flips: number;
            /**
             * Format: date-time
             * @description When it last gave two results on one tree.
             */
            last_flip_at: string | null;
            /**
             * Format: date-time
             * @description Until when nobody is blamed for its failure; `null` if somebody is.
             */
            quarantined_until: string | null;
            /**
             * Format: int64
             * @description How often it ran on trials.
             */
            runs: number;
        };
        /** @description Claims a task. */
        Claim: {
            /**
             * Format: uuid
             * @description The agent that will work; left out, the caller claims for themselves and no process starts.
             */
            agent_id?: string | null;
            /** @description Fields of the agent's executor that differ for this execution only. */
            overrides?: Record<string, never> | null;
        };
        /** @description The claim worked. */
        Claimed: {
            /** @description The execution the claim created. */
            execution: components["schemas"]["Execution"];
            /** @description The task after the claim. */
            task: components["schemas"]["Task"];
        };
        /**
         * @description What becomes of a workspace.
         * @enum {string}
         */
        CleanVerdict: "would_be_removed" | "removed" | "failed" | "blocked" | "orphan";
        /** @description Asks for removals. */
        CleanWorkspaces: {
            /** @description Only say what would happen. */
            dry_run?: boolean;
        };
        /** @description A workspace, and whether it goes. */
        Cleaned: {
            /** @description The task's short name. */
            key: string | null;
            /** @description Where it is; empty if there is none. */
            path: string;
            /** @description Where work that is in no commit is kept; `null` if a dry run saw none. */
            saved_under: string | null;
            /**
             * Format: uuid
             * @description Its task; `null` for an orphan.
             */
            task_id: string | null;
            /** @description Whether it goes. */
            verdict: components["schemas"]["CleanVerdict"];
            /** @description Why, or what stands in the way. */
            why: string;
        };
        /** @description When the workspace of a task that reached a terminal state is removed. */
        Cleanup: {
            /** @enum {string} */
            mode: "immediate";
        } | {
            /**
             * Format: int64
             * @description How much later; `null` for the server's `FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS`.
             */
            after_seconds: number | null;
            /** @enum {string} */
            mode: "delayed";
        };
        /** @description What was taken away when a task was done with its workspace (SPEC M-10). */
        CleanupReport: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Whether the branch is gone; its commits stay in the archive. */
            branch: boolean;
            /** @description Whether git's record of the worktree is gone. */
            record: boolean;
            /** @description What could not be done and does not matter enough to fail. */
            warnings: string[];
            /** @description Whether the worktree is gone. */
            worktree: boolean;
        };
        /** @description A comment. */
        Comment: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Who wrote it. */
            author: components["schemas"]["Actor"];
            /** @description Markdown. */
            body: string;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /**
             * Format: uuid
             * @description The comment this one answers.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
        };
        /** @description Two branches that clash. */
        Conflict: {
            /** @description The two, the lower number first. */
            branches: components["schemas"]["LiveBranch"][];
            /** @description Where they clash. */
            files: string[];
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
        };
        /** @description The live branches of a project, and which of them clash. */
        Conflicts: {
            /** @description The branches of tasks that have not ended, in the order of the tasks' numbers. */
            branches: components["schemas"]["LiveBranch"][];
            /** @description The pairs that clash, the oldest first; all others merge with each other. */
            conflicts: components["schemas"]["Conflict"][];
        };
        /** @description A new token with its secret, which is shown only here. */
        CreatedToken: {
            /**
             * Format: password
             * @description The value to send as bearer token; only its hash is stored.
             */
            secret: string;
            /** @description The token. */
            token: components["schemas"]["Token"];
        };
        /** @description How a demonstration stands. */
        Demo: {
            /** @description Nothing goes on by itself any more. */
            finished: boolean;
            /** @description What has landed, as `git log --oneline --graph` draws it. */
            log: string[];
            /**
             * Format: uuid
             * @description Its project.
             */
            project_id: string;
            /** @description The throw-away repository, on the server's disk. */
            repo_path: string;
            /** @description Its tasks, the first made first. */
            tasks: components["schemas"]["DemoTask"][];
        };
        /** @description A demonstration that has begun. */
        DemoStarted: {
            /**
             * Format: uuid
             * @description The project to watch.
             */
            project_id: string;
            /** @description The throw-away repository, on the server's disk. */
            repo_path: string;
        };
        /** @description What became of a task of a demonstration. */
        DemoTask: {
            /**
             * Format: int32
             * @description How often it came to a gate.
             */
            attempts: number;
            /** @description The commit it landed as; `null` if it has not. */
            commit: string | null;
            /** @description The task's number as people write it, for example `T-12`. */
            key: string;
            /** @description Which part of the board that state belongs to. */
            phase: components["schemas"]["Phase"];
            /** @description The workflow state it is in. */
            status: string;
            /** @description Short label. */
            title: string;
        };
        /** @description A task waits for another. */
        Dependency: {
            /**
             * Format: uuid
             * @description The task it waits for.
             */
            depends_on_id: string;
            /** @description That task's part of the board. */
            phase: components["schemas"]["Phase"];
            /** @description Whether there is nothing left to wait for. */
            satisfied: boolean;
            /** @description That task's workflow state. */
            status: string;
            /**
             * Format: uuid
             * @description The task that waits.
             */
            task_id: string;
        };
        /** @description What a task changed. */
        Diff: {
            /** @description The commit they are counted from. */
            base: string;
            /** @description The changed files, by path. */
            files: components["schemas"]["DiffFile"][];
            /** @description The commit they lead to; `null` when that is the working tree. */
            head: string | null;
            /** @description Which changes. */
            scope: components["schemas"]["DiffScope"];
            /** @description Where they are. */
            source: components["schemas"]["DiffSource"];
            /** @description More changed than is listed. */
            truncated: boolean;
        };
        /**
         * @description What happened to a file.
         * @enum {string}
         */
        DiffChange: "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed";
        /** @description One changed file. */
        DiffFile: {
            /**
             * Format: int64
             * @description Lines added; `null` if not text.
             */
            additions: number | null;
            /** @description Its content is not text, and so not shown. */
            binary: boolean;
            /** @description What happened to it. */
            change: components["schemas"]["DiffChange"];
            /**
             * Format: int64
             * @description Lines removed; `null` if not text.
             */
            deletions: number | null;
            /** @description Where it was, if it moved or was copied. */
            old_path: string | null;
            /** @description The change as text; `null` if left out. */
            patch: string | null;
            /** @description Its path; bytes that are not UTF-8 are replaced. */
            path: string;
            /** @description Its patch is left out because it is too large. */
            truncated: boolean;
        };
        /**
         * @description In which form.
         * @enum {string}
         */
        DiffFormat: "json" | "patch";
        /**
         * @description What a task has changed by now: the data of each `diff` event of the stream. It comes again whenever anything of it,
         *     or of the patches, is another.
         */
        DiffNews: {
            /** @description The commit they are counted from. */
            base: string;
            /** @description The changed files, by path. */
            files: components["schemas"]["DiffStat"][];
            /** @description The commit they lead to; `null` when that is the working tree. */
            head: string | null;
            /** @description Changes to come are told. If not, the system cannot watch so many directories: ask again to see them. */
            live: boolean;
            /** @description Which changes. */
            scope: components["schemas"]["DiffScope"];
            /** @description Where they are. */
            source: components["schemas"]["DiffSource"];
            /** @description More changed than is listed. */
            truncated: boolean;
        };
        /**
         * @description Which changes.
         * @enum {string}
         */
        DiffScope: "uncommitted" | "branch" | "all";
        /**
         * @description Where a task's changes are.
         * @enum {string}
         */
        DiffSource: "workspace" | "landed" | "branch";
        /** @description One changed file without its patch. */
        DiffStat: {
            /**
             * Format: int64
             * @description Lines added; `null` if not text.
             */
            additions: number | null;
            /** @description Its content is not text. */
            binary: boolean;
            /** @description What happened to it. */
            change: components["schemas"]["DiffChange"];
            /**
             * Format: int64
             * @description Lines removed; `null` if not text.
             */
            deletions: number | null;
            /** @description Where it was, if it moved or was copied. */
            old_path: string | null;
            /** @description Its path; bytes that are not UTF-8 are replaced. */
            path: string;
        };
        /** @description How many files differ from the last commit. */
        DirtyCounts: {
            /**
             * Format: int64
             * @description Changed, not in the index.
             */
            modified: number;
            /**
             * Format: int64
             * @description In the index.
             */
            staged: number;
            /**
             * Format: int64
             * @description Not tracked and not ignored.
             */
            untracked: number;
        };
        /** @description How giving out tasks stands on this server. */
        Dispatch: {
            /** @description What the machine lacks to begin another. */
            lacks: components["schemas"]["WaitReason"][];
            /**
             * Format: int32
             * @description How many may be; `null` for no limit.
             */
            max_concurrent: number | null;
            /**
             * Format: date-time
             * @description Since when nothing is given out by itself; `null` while it is.
             */
            paused_at: string | null;
            /**
             * Format: int32
             * @description Executions of agents under way here.
             */
            running: number;
        };
        /** @description Whether and how a project's tasks go to agents by themselves. */
        DispatchSettings: {
            /** @description Whether claimable tasks are given to agents that are free. */
            enabled?: boolean;
            /** @description Whether a task waits while its branch clashes with that of one that is at work or about to land. */
            hold_conflicts?: boolean;
            /**
             * Format: int32
             * @description How many executions of agents the project may have at once when one more is given out; `null` for no limit.
             */
            max_concurrent?: number | null;
        };
        /** @description Why a task waits for somebody. */
        ErrorAnnotation: {
            /**
             * Format: date-time
             * @description Since when.
             */
            at: string;
            /** @description Facts that belong to the kind; `null` if none. */
            details: unknown;
            /** @description What happened and what to do. */
            message: string;
            /** @description What kind of trouble, for programs; for example `stopped` or `workspace_reset_required`. */
            type: string;
        };
        /** @description The body of every answer that is not a success. */
        ErrorBody: {
            /** @description What went wrong, for programs. */
            code: components["schemas"]["ErrorCode"];
            /** @description Facts that belong to the code, for example the expected and the actual version; `null` if none. */
            details: unknown;
            /** @description What went wrong and what to do next, for people. */
            message: string;
            /** @description Names this request in the server's log. */
            request_id: string;
        };
        /**
         * @description Every code an error can carry. The list is closed: a new situation gets a new code here first.
         * @enum {string}
         */
        ErrorCode: "unauthorized" | "forbidden" | "host_refused" | "origin_refused" | "throttled" | "link_used" | "not_found" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "body_too_deep" | "body_not_utf8" | "body_not_json" | "invalid_field" | "unknown_field" | "invalid_query" | "invalid_name" | "invalid_path" | "duplicate" | "version_conflict" | "invalid_transition" | "not_claimable" | "already_claimed" | "agent_paused" | "project_paused" | "dependency_gate" | "agent_at_capacity" | "budget_exhausted" | "execution_over" | "not_restartable" | "up_to_date" | "not_rebasable" | "not_landed" | "nothing_to_revert" | "no_way_to_land" | "nothing_to_hand_off" | "review_over" | "review_not_passed" | "execution_running" | "task_terminal" | "task_archived" | "dependency_cycle" | "dependency_scope" | "PARENT_WORKSPACE_REQUIRED" | "SUBTASK_SEQUENCE_NOT_COMPLETE" | "invalid_workflow" | "workflow_in_use" | "unknown_role" | "repo_unusable" | "pull_request_unavailable" | "repo_in_use" | "no_repository" | "workspace_missing" | "workspace_corrupted" | "workspace_locked" | "not_a_git_workspace" | "target_checkout_dirty" | "stale_lease" | "request_timeout" | "timeout" | "shutting_down" | "not_ready" | "internal";
        /** @description Something that happened. */
        Event: {
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Facts that belong to the type; `null` if none. */
            data: unknown;
            /** @description The place in the stream; send it as `Last-Event-ID` to go on after it. */
            id: string;
            /**
             * Format: uuid
             * @description The project; `null` for what belongs to none, such as an agent.
             */
            project_id: string | null;
            /**
             * Format: int64
             * @description Counts up by one, without gaps, within the project.
             */
            seq: number;
            /**
             * Format: uuid
             * @description The task it happened to.
             */
            task_id: string | null;
            /** @description What happened. */
            type: components["schemas"]["EventType"];
        };
        /**
         * @description What happened: `noun.verb`. The names are fixed so that scripts can rely on them (SPEC §7.1).
         * @enum {string}
         */
        EventType: "task.created" | "task.transitioned" | "task.adopted" | "task.updated" | "task.annotated" | "task.archived" | "task.unarchived" | "task.assigned" | "task.handed_off" | "task.submitted" | "task.unpassed" | "task.stopping" | "task.stopped" | "dependency.added" | "dependency.removed" | "turn.added" | "turns.begun" | "turns.ending" | "turns.ended" | "execution.created" | "execution.started" | "execution.finished" | "execution.postponed" | "execution.steered" | "execution.stalled" | "review.started" | "review.checked" | "review.finished" | "review.judged" | "review.approved" | "merge.started" | "merge.finished" | "pull_request.changed" | "workspace.created" | "workspace.cleaning" | "workspace.leaving" | "workspace.cleaned" | "workspace.error" | "workspace.recovered" | "workspace.rebasing" | "workspace.rebased" | "workspace.inverted" | "task.reverted" | "task.verified" | "task.regressed" | "workspace.reset" | "workspace.restored" | "journal.recorded" | "step.failed" | "agent.created" | "agent.updated" | "agent.paused" | "agent.resumed" | "project.created" | "project.updated" | "project.paused" | "project.resumed" | "project.member_added" | "project.member_removed" | "repo.added" | "repo.updated" | "repo.removed" | "dispatch.paused" | "dispatch.resumed" | "conflict.detected" | "conflict.cleared" | "train.changed" | "message.sent" | "comment.created";
        /** @description One run of one agent or person on one task. */
        Execution: {
            /**
             * Format: uuid
             * @description The agent, if one works.
             */
            agent_id: string | null;
            /** @description The commit the branch was at when it ended. */
            commit: string | null;
            /**
             * Format: int32
             * @description The agent's exit code.
             */
            exit_code: number | null;
            failure: components["schemas"]["ExecutionFailure"] | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /**
             * Format: int64
             * @description How much output is stored.
             */
            log_bytes: number;
            /** @description It ended without any change; `null` until that is known. */
            no_changes: boolean | null;
            outcome: components["schemas"]["ExecutionOutcome"] | null;
            /** @description In which role. */
            role: string;
            /** @description The conversation that a follow-up goes on with; `null` if the program named none. */
            session_id: string | null;
            /**
             * Format: int32
             * @description The signal that ended the agent.
             */
            signal: number | null;
            /**
             * Format: date-time
             * @description When the agent or person began.
             */
            started_at: string | null;
            /** @description How far it is. */
            status: components["schemas"]["ExecutionStatus"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
            usage: components["schemas"]["Usage"] | null;
            /**
             * Format: uuid
             * @description The person, if one works.
             */
            user_id: string | null;
        };
        /** @description Why a run failed. */
        ExecutionFailure: {
            /** @description What kind. */
            class: components["schemas"]["FailureClass"];
            /** @description What the program said. */
            message: string;
            /**
             * Format: date-time
             * @description When its allowance is back, if the program said so.
             */
            until: string | null;
        };
        /**
         * @description How a run ended.
         * @enum {string}
         */
        ExecutionOutcome: "succeeded" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
        /**
         * @description How far a run is.
         * @enum {string}
         */
        ExecutionStatus: "pending" | "preparing" | "running" | "stopping" | "finished";
        /** @description The program behind an agent, and how it is called. */
        Executor: {
            /** @description More words for the program. */
            arguments?: string[];
            /**
             * @description The program and its first words; needed by `shell` and `acp`, elsewhere it replaces the kind's own. No shell
             *     interprets them.
             */
            command?: string[];
            /** @description More variables of its environment. Answers show the names; a value is never given out again. */
            environment?: {
                [key: string]: string;
            };
            /** @description Which. */
            kind: components["schemas"]["ExecutorKind"];
            /** @description The model's name, for kinds that have a flag for it. */
            model?: string | null;
            policy?: components["schemas"]["ExecutorPolicy"] | null;
            prompt?: components["schemas"]["PromptChannel"] | null;
            /**
             * Format: int64
             * @description How long it may neither print nor change a file before everybody is told (SPEC T-23); the server's setting if
             *     left out.
             */
            stalled_after_seconds?: number | null;
            /**
             * Format: int64
             * @description How long before it is stopped; the server's setting if left out.
             */
            stopped_after_seconds?: number | null;
            /**
             * Format: int64
             * @description Stops a run that takes longer; `null` for no limit.
             */
            timeout_seconds?: number | null;
        };
        /**
         * @description Which program an agent is (SPEC E-1).
         * @enum {string}
         */
        ExecutorKind: "shell" | "claude" | "codex" | "gemini" | "opencode" | "cursor" | "copilot" | "goose" | "qwen" | "amp" | "droid" | "acp";
        /**
         * @description What an agent may do without asking.
         * @enum {string}
         */
        ExecutorPolicy: "plan" | "edit" | "full";
        /** @description Takes a run for failed. */
        FailExecution: {
            /** @description Why, for the task. */
            reason?: string | null;
        };
        /** @description A check that failed elsewhere. */
        FailedCheck: {
            /** @description Its name. */
            name: string;
            /** @description Where its log is. */
            url: string | null;
        };
        /**
         * @description The kinds of failure that are told apart.
         * @enum {string}
         */
        FailureClass: "quota" | "auth" | "crash" | "error";
        /** @description A task that begins with an entry's files. */
        ForkEntry: {
            /** @description Its title; left out, made from the old one. */
            title?: string | null;
        };
        /** @description A note from one hand to the next. */
        Handoff: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The branch the work is on. */
            branch: string | null;
            /** @description Who wrote it. */
            by: components["schemas"]["Actor"];
            from: components["schemas"]["Assignee"] | null;
            /**
             * Format: uuid
             * @description The last execution before it.
             */
            last_execution: string | null;
            /** @description What was done and what stands in the way. */
            message: string;
            /** @description The worktree the work is in. */
            worktree: string | null;
        };
        /**
         * @description What an entry is compared with.
         * @enum {string}
         */
        JournalAgainst: "previous" | "base" | "files";
        /** @description How an entry differs from something else. */
        JournalDiff: {
            /** @description With what it is compared. */
            against: components["schemas"]["JournalAgainst"];
            /** @description The commit or tree the changes are counted from. */
            base: string;
            /** @description The changed files, by path. */
            files: components["schemas"]["DiffFile"][];
            /** @description The commit or tree they lead to. */
            head: string;
            /**
             * Format: int64
             * @description The entry.
             */
            number: number;
            /** @description More changed than is listed. */
            truncated: boolean;
        };
        /** @description One saved state: all files that are not ignored, uncommitted and untracked ones included. */
        JournalEntry: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The branch that was checked out; `null` if none was. */
            branch: string | null;
            /** @description The commit that holds the files, under `refs/forge/journal/<task>/<number>`. */
            commit: string;
            /** @description The files differ from that commit. */
            differs: boolean;
            /**
             * Format: uuid
             * @description The execution that worked there.
             */
            execution_id: string | null;
            /** @description There were files to save; otherwise the entry only holds the commit. */
            has_files: boolean;
            /** @description The commit that was checked out; `null` before the first. */
            head: string | null;
            /**
             * Format: int64
             * @description Counts up from 1 within the task.
             */
            number: number;
            /** @description Why. */
            reason: components["schemas"]["JournalReason"];
            /** @description What could not be read, and so is not in it. */
            skipped: string[];
        };
        /**
         * @description Why a state was saved.
         * @enum {string}
         */
        JournalReason: "turn_end" | "stop" | "before_reset" | "before_removal" | "before_rebase" | "periodic" | "before_restore" | "corrupted";
        /** @description How a task's work came to its target. */
        Landing: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The commit it is there as; `null` if there was nothing to merge. */
            commit: string | null;
            /** @description How it ended. */
            outcome: components["schemas"]["LandingOutcome"];
            /** @description The target branch. */
            target: string;
            verified: components["schemas"]["LandingVerified"] | null;
        };
        /**
         * @description How a landing ended that counts as one.
         * @enum {string}
         */
        LandingOutcome: "merged" | "nothing_to_merge";
        /**
         * @description What is known of a landed commit from where it was pushed.
         * @enum {string}
         */
        LandingVerified: "passed" | "failed" | "unknown";
        /** @description Who performs a step now. */
        Lease: {
            /** @description The Forge process. */
            node: string;
            /**
             * Format: date-time
             * @description When it runs out unless renewed.
             */
            until: string;
        };
        /** @description A branch as it was last looked at. */
        LiveBranch: {
            /** @description Its name. */
            branch: string;
            /** @description Its commit. */
            head: string;
            /** @description How people call the task. */
            key: string;
            /**
             * Format: uuid
             * @description Its repository.
             */
            repo_id: string;
            /** @description The task's status. */
            status: string;
            /**
             * Format: uuid
             * @description Its task.
             */
            task_id: string;
            /** @description The task's title. */
            title: string;
            /** @description Whether work on top of that commit counts that is saved in the journal and not committed yet. */
            uncommitted: boolean;
        };
        /** @description One event of a log. Which fields it has depends on its kind; the others are left out. */
        LogEvent: {
            /** @description The numbers count on top of those before; else they replace them. */
            adds?: boolean | null;
            /**
             * Format: int64
             * @description Of these, from a cache.
             */
            cached_tokens?: number | null;
            /**
             * Format: double
             * @description Cost in US dollars.
             */
            cost_usd?: number | null;
            /** @description The tool failed. */
            failed?: boolean | null;
            /** @description The call of a tool, or the conversation. */
            id?: string | null;
            /** @description What the tool is given. */
            input?: Record<string, never> | null;
            /**
             * Format: int64
             * @description Tokens read.
             */
            input_tokens?: number | null;
            /** @description What it is about. */
            kind: components["schemas"]["LogEventKind"];
            /** @description The tool. */
            name?: string | null;
            /**
             * Format: int64
             * @description How many bytes of the line are left out.
             */
            omitted?: number | null;
            /** @description What the tool gave. */
            output?: string | null;
            /**
             * Format: int64
             * @description Tokens written.
             */
            output_tokens?: number | null;
            /** @description The words go on from those before. */
            partial?: boolean | null;
            /** @description What the program said, as it said it. */
            raw?: Record<string, never> | null;
            /**
             * Format: int64
             * @description Counts from 1, without gaps.
             */
            seq: number;
            /** @description What is reported, in the program's words. */
            status?: string | null;
            /** @description What was said or printed. */
            text?: string | null;
        };
        /**
         * @description What an event of a log is about.
         * @enum {string}
         */
        LogEventKind: "assistant" | "thinking" | "tool_call" | "tool_result" | "stdout" | "stderr" | "usage" | "session" | "status";
        /** @description Some events of a log, in order. */
        LogEventPage: {
            /** @description Nothing follows and nothing will. */
            end: boolean;
            /** @description The events. */
            events: components["schemas"]["LogEvent"][];
            /**
             * Format: int64
             * @description `after` of the next request.
             */
            next: number;
        };
        /** @description A part of a log. */
        LogPage: {
            /** @description Nothing follows and nothing will. */
            end: boolean;
            /**
             * Format: int64
             * @description The byte it begins at.
             */
            from: number;
            /**
             * Format: int64
             * @description The byte after it: `from` of the next request.
             */
            next: number;
            /** @description The text; bytes that are not UTF-8 are replaced. */
            text: string;
        };
        /** @description Signs in with a password; the session is a cookie. */
        Login: {
            /** @description The user's name. */
            name: string;
            /**
             * Format: password
             * @description The user's password.
             */
            password: string;
        };
        /** @description Who the caller is. */
        Me: {
            /** @description As whom the caller's actions are recorded. */
            actor: components["schemas"]["Actor"];
            user: components["schemas"]["User"] | null;
            /** @description How the caller proved it. */
            via: components["schemas"]["Via"];
        };
        /** @description A person in a project. */
        Member: {
            /**
             * Format: date-time
             * @description Since when they are a member.
             */
            created_at: string;
            /** @description The name they sign in with. */
            name: string;
            /**
             * Format: uuid
             * @description The person.
             */
            user_id: string;
        };
        /** @description Where and how a task's branch is landed. */
        MergeConfig: {
            /** @description How it lands. */
            strategy?: components["schemas"]["MergeStrategy"];
            /** @description The branch it lands on; `null` for the repository's default branch. */
            target_branch?: string | null;
        };
        /**
         * @description By what a project's branches land.
         * @enum {string}
         */
        MergeMode: "direct" | "pull_request";
        /** @description How a project's branches land. */
        MergeSettings: {
            /** @description By what branches land. */
            mode?: components["schemas"]["MergeMode"];
            /** @description Whether nothing lands for now. */
            paused?: boolean;
            /** @description Whether branches that wait are tried together, each on top of those before it; else one at a time. */
            train?: boolean;
            /** @description What is done to know whether what landed is well where it was pushed. */
            verify?: components["schemas"]["MergeVerify"];
            /**
             * Format: int32
             * @description How many are tried ahead at most; `null` for 16.
             */
            window?: number | null;
        };
        /**
         * @description How a branch is landed.
         * @enum {string}
         */
        MergeStrategy: "squash" | "merge" | "rebase";
        /**
         * @description How what has landed is looked after.
         * @enum {string}
         */
        MergeVerify: "off" | "remote_checks";
        /** @description Creates an agent. */
        NewAgent: {
            /** @description Goes away when its work is finished. */
            ephemeral?: boolean;
            /** @description The program behind it. */
            executor: components["schemas"]["Executor"];
            /**
             * Format: uuid
             * @description The agent that takes over when its allowance is used up (SPEC E-9).
             */
            fallback?: string | null;
            /**
             * Format: int32
             * @description How many executions it may run at once; 1 if left out.
             */
            max_concurrent?: number | null;
            /** @description Name. */
            name: string;
            /** @description The roles it can take; any if left out. */
            roles?: string[];
        };
        /** @description Writes a comment. */
        NewComment: {
            /** @description Markdown. */
            body: string;
            /**
             * Format: uuid
             * @description The comment this one answers.
             */
            parent_id?: string | null;
        };
        /** @description A token or password for a repository elsewhere. It is stored sealed and never answered. */
        NewCredential: {
            /**
             * Format: password
             * @description The token.
             */
            token: string;
            /** @description The user name it goes with, where the host wants a certain one. */
            user_name?: string | null;
        };
        /** @description Makes a task wait for another. */
        NewDependency: {
            /**
             * Format: uuid
             * @description The task to wait for.
             */
            depends_on_id: string;
        };
        /** @description Another message for an agent that has ended its turn (SPEC E-7). */
        NewFollowUp: {
            /** @description What it is told. */
            message: string;
        };
        /** @description Lets go of a task. */
        NewHandoff: {
            /** @description What was done and what stands in the way; every later prompt contains it. */
            message: string;
        };
        /** @description Makes a person a member of a project. */
        NewMember: {
            /**
             * Format: uuid
             * @description The person.
             */
            user_id: string;
        };
        /** @description Creates a project. */
        NewProject: {
            /** @description Name. */
            name: string;
            /** @description Its first repository, as an absolute path on the server's disk. If it cannot be used, no project is made either. */
            repo_path?: string | null;
            settings?: components["schemas"]["ProjectSettings"] | null;
            workflow?: components["schemas"]["WorkflowChoice"] | null;
            workspace_type?: components["schemas"]["WorkspaceType"] | null;
        };
        /** @description Says that what a task landed broke something. */
        NewRegression: {
            /** @description What broke; it becomes part of the description of the task that mends it. */
            reason: string;
        };
        /** @description Adds a repository to a project: exactly one of path and url is given. */
        NewRepo: {
            /** @description Taken from the path or URL if left out. */
            name?: string | null;
            /** @description A repository on the server's disk, as an absolute path. */
            path?: string | null;
            /**
             * Format: password
             * @description A token that opens the url. It is stored sealed and never answered.
             */
            token?: string | null;
            /** @description A remote that Forge clones. */
            url?: string | null;
        };
        /** @description A message to an agent at work. */
        NewSteer: {
            /** @description What it is told. */
            message: string;
        };
        /** @description Creates a task. It starts in the workflow's initial state. */
        NewTask: {
            budget?: components["schemas"]["Budget"] | null;
            /** @description The tasks that must finish first. */
            dependencies?: string[];
            /** @description The full prompt for the agent. */
            description?: string | null;
            kind?: components["schemas"]["TaskKind"] | null;
            /** @description Labels. */
            labels?: string[];
            merge_config?: components["schemas"]["MergeConfig"] | null;
            /** @description Kept for the user's own tools. */
            metadata?: Record<string, never>;
            /**
             * Format: uuid
             * @description The task it is a part of.
             */
            parent?: string | null;
            /**
             * Format: int32
             * @description Higher goes first; 0 if left out.
             */
            priority?: number | null;
            /**
             * Format: uuid
             * @description The project's primary repository if left out.
             */
            repo_id?: string | null;
            review_config?: components["schemas"]["ReviewConfig"] | null;
            /** @description Who holds which role. */
            roles?: {
                [key: string]: components["schemas"]["Assignee"];
            };
            subtask_mode?: components["schemas"]["SubtaskMode"] | null;
            /**
             * Format: int64
             * @description An ordered turn's place among those of its parent; after all others if left out.
             */
            subtask_order?: number | null;
            subtask_target?: components["schemas"]["SubtaskTarget"] | null;
            /** @description Short label. */
            title: string;
        };
        /** @description Creates a token for the caller. */
        NewToken: {
            /**
             * Format: int64
             * @description How long it works; for ever if left out.
             */
            expires_in_seconds?: number | null;
            /** @description What it is for. */
            name: string;
            scope?: components["schemas"]["TokenScope"] | null;
        };
        /** @description Creates a user. */
        NewUser: {
            /** @description The name they sign in with. */
            name: string;
            /**
             * Format: password
             * @description Without one the user can only use tokens.
             */
            password?: string | null;
            role?: components["schemas"]["UserRole"] | null;
        };
        /** @description A reviewer's verdict. */
        NewVerdict: {
            /** @description What to change, or what stood in the way; needed unless it passes. */
            feedback?: string | null;
            /** @description What it is. */
            verdict: components["schemas"]["Verdict"];
        };
        /**
         * @description Why a task was made for another.
         * @enum {string}
         */
        OriginKind: "revert" | "fix";
        /** @description A directory under the workspace root that belongs to no live task. Forge leaves it alone. */
        Orphan: {
            /** @description The name of the repository in which git has a record of it as a worktree; `null` if none has. */
            git_record_in: string | null;
            /**
             * Format: date-time
             * @description When something in it last changed; `null` if it cannot be read.
             */
            last_change_at: string | null;
            /** @description Where it is. */
            path: string;
            /** @description Why it is one. */
            reason: string;
            /** @description How large it is, roughly. */
            size: components["schemas"]["SizeClass"];
        };
        /** @description An orphaned directory, as the start met it. Forge left it alone. */
        OrphanNote: {
            /** @description Where it was. */
            path: string;
            /** @description Why it was one. */
            reason: string;
        };
        /**
         * @description What a terminal state means.
         * @enum {string}
         */
        Outcome: "success" | "failure" | "cancelled";
        /** @description One page of a list. */
        Page_Action: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description What it is, for people. */
                label: string;
                /** @description The HTTP method. */
                method: string;
                /** @description What it is, for programs. */
                name: string;
                /** @description What the request body takes. */
                parameters: components["schemas"]["ActionParameter"][];
                /** @description The path, from the server's root. */
                path: string;
                /** @description The state a move leads to. */
                target: string | null;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Agent: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /** @description Goes away when its work is finished. */
                ephemeral: boolean;
                /** @description The program behind it. */
                executor: components["schemas"]["Executor"];
                /**
                 * Format: uuid
                 * @description The agent that takes over when its allowance is used up (SPEC E-9).
                 */
                fallback: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /**
                 * Format: int32
                 * @description How many executions it may run at once.
                 */
                max_concurrent: number;
                /** @description Name. */
                name: string;
                /** @description Takes no new work. */
                paused: boolean;
                /** @description The roles it can take; empty for any. */
                roles: string[];
                /**
                 * Format: int64
                 * @description Changes with every write.
                 */
                version: number;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Cleaned: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The task's short name. */
                key: string | null;
                /** @description Where it is; empty if there is none. */
                path: string;
                /** @description Where work that is in no commit is kept; `null` if a dry run saw none. */
                saved_under: string | null;
                /**
                 * Format: uuid
                 * @description Its task; `null` for an orphan.
                 */
                task_id: string | null;
                /** @description Whether it goes. */
                verdict: components["schemas"]["CleanVerdict"];
                /** @description Why, or what stands in the way. */
                why: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Comment: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
                /** @description Who wrote it. */
                author: components["schemas"]["Actor"];
                /** @description Markdown. */
                body: string;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The comment this one answers.
                 */
                parent_id: string | null;
                /**
                 * Format: uuid
                 * @description The task.
                 */
                task_id: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Dependency: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: uuid
                 * @description The task it waits for.
                 */
                depends_on_id: string;
                /** @description That task's part of the board. */
                phase: components["schemas"]["Phase"];
                /** @description Whether there is nothing left to wait for. */
                satisfied: boolean;
                /** @description That task's workflow state. */
                status: string;
                /**
                 * Format: uuid
                 * @description The task that waits.
                 */
                task_id: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Execution: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: uuid
                 * @description The agent, if one works.
                 */
                agent_id: string | null;
                /** @description The commit the branch was at when it ended. */
                commit: string | null;
                /**
                 * Format: int32
                 * @description The agent's exit code.
                 */
                exit_code: number | null;
                failure: components["schemas"]["ExecutionFailure"] | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /**
                 * Format: int64
                 * @description How much output is stored.
                 */
                log_bytes: number;
                /** @description It ended without any change; `null` until that is known. */
                no_changes: boolean | null;
                outcome: components["schemas"]["ExecutionOutcome"] | null;
                /** @description In which role. */
                role: string;
                /** @description The conversation that a follow-up goes on with; `null` if the program named none. */
                session_id: string | null;
                /**
                 * Format: int32
                 * @description The signal that ended the agent.
                 */
                signal: number | null;
                /**
                 * Format: date-time
                 * @description When the agent or person began.
                 */
                started_at: string | null;
                /** @description How far it is. */
                status: components["schemas"]["ExecutionStatus"];
                /**
                 * Format: uuid
                 * @description The task.
                 */
                task_id: string;
                usage: components["schemas"]["Usage"] | null;
                /**
                 * Format: uuid
                 * @description The person, if one works.
                 */
                user_id: string | null;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_JournalEntry: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
                /** @description The branch that was checked out; `null` if none was. */
                branch: string | null;
                /** @description The commit that holds the files, under `refs/forge/journal/<task>/<number>`. */
                commit: string;
                /** @description The files differ from that commit. */
                differs: boolean;
                /**
                 * Format: uuid
                 * @description The execution that worked there.
                 */
                execution_id: string | null;
                /** @description There were files to save; otherwise the entry only holds the commit. */
                has_files: boolean;
                /** @description The commit that was checked out; `null` before the first. */
                head: string | null;
                /**
                 * Format: int64
                 * @description Counts up from 1 within the task.
                 */
                number: number;
                /** @description Why. */
                reason: components["schemas"]["JournalReason"];
                /** @description What could not be read, and so is not in it. */
                skipped: string[];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Member: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description Since when they are a member.
                 */
                created_at: string;
                /** @description The name they sign in with. */
                name: string;
                /**
                 * Format: uuid
                 * @description The person.
                 */
                user_id: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Orphan: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The name of the repository in which git has a record of it as a worktree; `null` if none has. */
                git_record_in: string | null;
                /**
                 * Format: date-time
                 * @description When something in it last changed; `null` if it cannot be read.
                 */
                last_change_at: string | null;
                /** @description Where it is. */
                path: string;
                /** @description Why it is one. */
                reason: string;
                /** @description How large it is, roughly. */
                size: components["schemas"]["SizeClass"];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Project: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description Name. */
                name: string;
                /**
                 * Format: date-time
                 * @description Since when agents may not claim; `null` while it runs.
                 */
                paused_at: string | null;
                /** @description Its settings. */
                settings: components["schemas"]["ProjectSettings"];
                /** @description The name as used in branches and directories. */
                slug: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Changes with every write.
                 */
                version: number;
                /** @description Its workflow. */
                workflow: components["schemas"]["WorkflowRef"];
                /** @description Where its tasks run. */
                workspace_type: components["schemas"]["WorkspaceType"];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Repo: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                created_at: string;
                /** @description The detected default branch; `null` while the repository is empty. */
                default_branch: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description Name, unique in the project. */
                name: string;
                /** @description Where it is on the server's disk. */
                path: string | null;
                /** @description Tasks that name no repository use this one. */
                primary: boolean;
                /**
                 * Format: uuid
                 * @description The project.
                 */
                project_id: string;
                /** @description Where it was cloned from, without credentials. */
                url: string | null;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Review: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int32
                 * @description Counts up with each attempt.
                 */
                attempt_number: number;
                /** @description The commit that was checked. */
                commit: string | null;
                /** @description Whether the rejection counts against the gate's attempts. Those by people do not. */
                counted: boolean;
                decided: components["schemas"]["ReviewDecision"] | null;
                /** @description What the coder is told. */
                feedback: string | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                started_at: string;
                /** @description How it stands. */
                status: components["schemas"]["ReviewStatus"];
                /** @description The checks' results so far, in order. */
                step_results: components["schemas"]["StepResult"][];
                taken_from: components["schemas"]["ReviewOrigin"] | null;
                /**
                 * Format: uuid
                 * @description The task.
                 */
                task_id: string;
                verdict: components["schemas"]["Verdict"] | null;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Step: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int32
                 * @description How often it was tried.
                 */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When it was recorded.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description What is to be done. */
                kind: string;
                /** @description Why the last attempt failed. */
                last_error: string | null;
                lease: components["schemas"]["Lease"] | null;
                /**
                 * Format: date-time
                 * @description It is not tried before this.
                 */
                not_before: string | null;
                /** @description How far it is. */
                state: components["schemas"]["StepState"];
                /**
                 * Format: uuid
                 * @description The task.
                 */
                task_id: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Task: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was hidden from lists.
                 */
                archived_at: string | null;
                budget: components["schemas"]["Budget"] | null;
                busy: components["schemas"]["Busy"] | null;
                cleanup: components["schemas"]["CleanupReport"] | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /** @description The tasks that must finish first. */
                dependencies: string[];
                /** @description The full prompt for the agent; empty if none was given. */
                description: string;
                error_annotation: components["schemas"]["ErrorAnnotation"] | null;
                /** @description What one hand told the next, the oldest first. */
                handoffs: components["schemas"]["Handoff"][];
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description The number as people write it, for example `T-12`. */
                key: string;
                /** @description What it is. */
                kind: components["schemas"]["TaskKind"];
                /** @description Labels. */
                labels: string[];
                landing: components["schemas"]["Landing"] | null;
                /** @description How it is landed. */
                merge_config: components["schemas"]["MergeConfig"];
                /** @description Messages to its agent that are not known to be read yet, the oldest first (SPEC T-22). */
                messages: components["schemas"]["QueuedMessage"][];
                /** @description Kept for the user's own tools; `handoff` in it says where the work of the last handoff is. */
                metadata: Record<string, never>;
                /**
                 * Format: int64
                 * @description Counts up per project.
                 */
                number: number;
                origin: components["schemas"]["TaskOrigin"] | null;
                /**
                 * Format: uuid
                 * @description The task it is a part of.
                 */
                parent: string | null;
                /** @description Which part of the board that state belongs to. */
                phase: components["schemas"]["Phase"];
                /**
                 * Format: int32
                 * @description Higher goes first.
                 */
                priority: number;
                /**
                 * Format: uuid
                 * @description Its project.
                 */
                project_id: string;
                pull_request: components["schemas"]["PullRequest"] | null;
                regression: components["schemas"]["Regression"] | null;
                /**
                 * Format: uuid
                 * @description The repository it works on; `null` in a project without one.
                 */
                repo_id: string | null;
                /**
                 * Format: uuid
                 * @description The task that takes back what it landed.
                 */
                reverted_by: string | null;
                /** @description How it is checked. */
                review_config: components["schemas"]["ReviewConfig"];
                /**
                 * Format: date-time
                 * @description When the present content passed its gate.
                 */
                review_passed_at: string | null;
                /** @description Who holds which role. */
                roles: {
                    [key: string]: components["schemas"]["Assignee"];
                };
                /** @description The workflow state it is in. */
                status: string;
                subtask: components["schemas"]["Subtask"] | null;
                /** @description Short label. */
                title: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Changes with every write; send it back when changing the task.
                 */
                version: number;
                /** @description The exact workflow definition it follows. */
                workflow_hash: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Token: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it stops working.
                 */
                expires_at: string | null;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was last used.
                 */
                last_used_at: string | null;
                /** @description What it is for, in the user's words. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it was revoked.
                 */
                revoked_at: string | null;
                /** @description What it can be used for. */
                scope: components["schemas"]["TokenScope"];
                /**
                 * Format: uuid
                 * @description Whose it is.
                 */
                user_id: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Transition: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
                /** @description The state before. */
                from_state: string;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description A gate turned the task back. */
                rejection: boolean;
                /** @description The state after. */
                to_state: string;
                /** @description Why; for a rejection, the feedback. */
                trigger_reason: string | null;
                /** @description Who did it. */
                triggered_by: components["schemas"]["Actor"];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_User: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When the user was created.
                 */
                created_at: string;
                /**
                 * Format: uuid
                 * @description Identifier.
                 */
                id: string;
                /** @description The name they sign in with. */
                name: string;
                /** @description What they may do. */
                role: components["schemas"]["UserRole"];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_WorkflowView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description Where cancelled tasks go. */
                cancel: string;
                /** @description Where the engine parks what needs a person. */
                fault: string;
                /** @description Identifies the exact definition. */
                hash: string;
                /** @description Where new tasks start. */
                initial: string;
                /** @description The workflow's name. */
                name: string;
                /** @description All states, in the order of the definition. */
                states: components["schemas"]["StateView"][];
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Workspace: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int64
                 * @description Commits the target branch does not have.
                 */
                ahead: number | null;
                /** @description The commit the branch began at. */
                base: string | null;
                /**
                 * Format: int64
                 * @description Commits of the target branch it does not have.
                 */
                behind: number | null;
                /** @description The branch; `null` without git or on a detached commit. */
                branch: string | null;
                dirty: components["schemas"]["DirtyCounts"] | null;
                /** @description The commit it is at. */
                head: string | null;
                /** @description The task's key, such as `T-12`. */
                key: string;
                /** @description What last went wrong. */
                last_error: string | null;
                lock: components["schemas"]["WorkspaceLock"] | null;
                /** @description The directory on the server's disk. */
                path: string;
                /**
                 * Format: uuid
                 * @description The task's project.
                 */
                project_id: string;
                /** @description How it stands. */
                status: components["schemas"]["WorkspaceStatus"];
                /**
                 * Format: uuid
                 * @description The task.
                 */
                task_id: string;
                /** @description The task's title. */
                title: string;
            }[];
            /** @description Give it back as `cursor` for the next page; `null` on the last one. */
            next_cursor: string | null;
        };
        /**
         * @description What kind of value a parameter takes, so that a client can offer the right input.
         * @enum {string}
         */
        ParameterKind: "text" | "long_text" | "integer" | "boolean" | "choice" | "agent" | "user" | "task";
        /**
         * @description Which part of the board a state belongs to, whatever its name (SPEC F-6).
         * @enum {string}
         */
        Phase: "backlog" | "ready" | "working" | "review" | "done";
        /** @description A project. */
        Project: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description Name. */
            name: string;
            /**
             * Format: date-time
             * @description Since when agents may not claim; `null` while it runs.
             */
            paused_at: string | null;
            /** @description Its settings. */
            settings: components["schemas"]["ProjectSettings"];
            /** @description The name as used in branches and directories. */
            slug: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Changes with every write.
             */
            version: number;
            /** @description Its workflow. */
            workflow: components["schemas"]["WorkflowRef"];
            /** @description Where its tasks run. */
            workspace_type: components["schemas"]["WorkspaceType"];
        };
        /** @description Changes a project; what is left out stays. The workflow has its own request. */
        ProjectPatch: {
            /** @description New name. */
            name?: string;
            /** @description New settings; they replace the old ones as a whole. */
            settings?: components["schemas"]["ProjectSettings"];
            /**
             * Format: int64
             * @description The version the caller read.
             */
            version: number;
        };
        /**
         * @description A project's settings, in requests and in answers. Names are a closed list, so that a typing mistake is refused;
         *     what belongs to the user's own tools goes into `metadata`.
         */
        ProjectSettings: {
            branch_template?: components["schemas"]["BranchTemplate"] | null;
            budget?: components["schemas"]["Budget"] | null;
            /** @description What tasks without a review_config of their own get. */
            default_review_config?: components["schemas"]["ReviewConfig"];
            /**
             * @description The one directory of a project with the workspace type `persistent_directory` (SPEC W-1), as an absolute path;
             *     `null` for one in the data directory.
             */
            directory?: string | null;
            /**
             * @description How a task's directory below the workspace root is named (SPEC W-3), with the same placeholders; `null` for
             *     `{project}-{number}-{slug}-{hash}`. Without `{hash}` or `{id}` the hash is put behind it.
             */
            directory_template?: string | null;
            /** @description Whether its tasks go to agents by themselves (SPEC E-10). */
            dispatch?: components["schemas"]["DispatchSettings"];
            /**
             * Format: int64
             * @description The installation of the server's GitHub App that opens this project's repositories on GitHub (SPEC M-15); `null`
             *     for none.
             */
            github_installation_id?: number | null;
            /**
             * @description Whether ignored files stay in a worktree that goes back into the pool, for the next task of this project
             *     (SPEC W-15). Files that hold secrets stay, too.
             */
            keep_ignored_files?: boolean;
            /** @description How its branches land (SPEC M-11). */
            merge?: components["schemas"]["MergeSettings"];
            /** @description Kept for the user's own tools; Forge does not read it. */
            metadata?: Record<string, never>;
            /**
             * @description What roles are told (SPEC E-2), by role; a role without a template is told what is built in. Words with
             *     `{{key}}`, `{{title}}`, `{{role}}`, `{{branch}}`, and sections, each on a line of its own: `{{description}}`
             *     `{{subtasks}}` `{{dependency_results}}` `{{handoff_notes}}` `{{messages}}` `{{failing_step}}` `{{feedback}}`
             *     `{{review_prompt}}` `{{change}}` `{{verdict}}`.
             */
            prompts?: {
                [key: string]: string;
            };
            /** @description What is done to a workspace before anybody works in it (SPEC W-13). */
            setup?: components["schemas"]["SetupSettings"];
        };
        /**
         * @description How a `shell` executor gets its prompt.
         * @enum {string}
         */
        PromptChannel: "stdin" | "argument" | "file";
        /**
         * @description What a turn is for.
         * @enum {string}
         */
        PromptPurpose: "work" | "judge";
        /** @description A pull request as it was seen last. */
        PullRequest: {
            /** @description The commit that was pushed for it. */
            head: string;
            /**
             * Format: int64
             * @description Its number in its repository.
             */
            number: number;
            /** @description How far it is. */
            state: components["schemas"]["PullRequestState"];
            /** @description Its page. */
            url: string;
            waits_for: components["schemas"]["PullRequestWait"] | null;
        };
        /**
         * @description How far a pull request is.
         * @enum {string}
         */
        PullRequestState: "open" | "merged" | "closed";
        /**
         * @description What an open pull request waits for.
         * @enum {string}
         */
        PullRequestWait: "checks" | "rules" | "draft" | "mergeability" | "pause";
        /** @description How a run is doing; secrets are masked. */
        Pulse: {
            /** @description The tool it uses right now, where its program tells. */
            current_tool: string | null;
            /** @description The run. */
            execution: components["schemas"]["Execution"];
            /** @description The files it is changing: those that are not committed. */
            files: string[];
            /**
             * Format: date-time
             * @description The last sign of life: output, or a changed file.
             */
            last_activity_at: string | null;
            /** @description What it last said. */
            last_output: string;
            /**
             * Format: date-time
             * @description When it last printed.
             */
            last_output_at: string | null;
            /** @description There are more of them. */
            more_files: boolean;
            /**
             * Format: int64
             * @description How long ago that was.
             */
            silent_seconds: number | null;
            /**
             * Format: date-time
             * @description Since when it counts as stalled.
             */
            stalled_since: string | null;
            tokens: components["schemas"]["TokenCount"] | null;
        };
        /** @description A check that is not to be trusted for a while. */
        Quarantine: {
            /** @description The command, as it is configured. */
            command: string;
            /**
             * Format: int64
             * @description For how many seconds from now; 0 ends it.
             */
            seconds: number;
        };
        /** @description A message that no agent is known to have read yet. */
        QueuedMessage: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Who said it. */
            by: components["schemas"]["Actor"];
            /** @description How it reaches the agent. */
            delivery: components["schemas"]["SteerDelivery"];
            /**
             * Format: uuid
             * @description The run it was meant for.
             */
            execution_id: string;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description What is said. */
            message: string;
        };
        /** @description What merging the target into a branch gave. */
        Rebase: {
            /** @description The branch's commit; `null` unless it was merged. */
            commit: string | null;
            /** @description The files that conflict. */
            files: string[];
            /** @description How it ended. */
            outcome: components["schemas"]["RebaseOutcome"];
            /** @description The target branch. */
            target: string;
        };
        /**
         * @description How a branch met its target.
         * @enum {string}
         */
        RebaseOutcome: "merged" | "conflict" | "up_to_date";
        /** @description Has the target merged into a task's branch (SPEC M-9). */
        RebaseTask: {
            /** @description What whoever works on the task is told besides. */
            message?: string | null;
        };
        /** @description A task whose branch met its target. */
        RebasedTask: {
            rebase: components["schemas"]["Rebase"] | null;
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description What the last start had to put right. */
        RecoveryReport: {
            /**
             * Format: int64
             * @description Clones of remote repositories that were not finished; nothing of them is left.
             */
            clones_discarded: number;
            /**
             * Format: int64
             * @description Agents that were still at work and go on under this server.
             */
            executions_adopted: number;
            /**
             * Format: int64
             * @description Agents that were still at work and were ended, as the settings ask; their work is kept and they begin again.
             */
            executions_ended: number;
            /**
             * Format: int64
             * @description Agents that had come to their own end meanwhile; it counts as if the server had seen it.
             */
            executions_finished: number;
            /**
             * Format: int64
             * @description Agents that were gone, nobody knows how; their work is kept and they begin again.
             */
            executions_lost: number;
            /**
             * Format: int64
             * @description Workspaces whose lock a dead process had left; they are free again.
             */
            locks_released: number;
            /**
             * Format: uuid
             * @description The Forge process that started.
             */
            node: string;
            /**
             * @description Directories under the workspace root that belonged to no live task at that moment; `null` for who is no admin.
             *     `GET /workspaces/orphans` says how it is now.
             */
            orphans: components["schemas"]["OrphanNote"][] | null;
            /**
             * Format: date-time
             * @description When.
             */
            started_at: string;
            /**
             * Format: int64
             * @description Steps that waited at that moment.
             */
            steps_open: number;
            /**
             * Format: int64
             * @description Steps that the run before had begun; each is carried out again, by asking reality first.
             */
            steps_resumed: number;
        };
        /** @description What a landing is known to have broken. */
        Regression: {
            /**
             * Format: date-time
             * @description When it was said.
             */
            at: string;
            /** @description The checks that failed, where that is how it was found. */
            checks: components["schemas"]["FailedCheck"][];
            /**
             * Format: uuid
             * @description The task that mends it.
             */
            fix_id: string;
            /** @description What broke. */
            reason: string;
        };
        /** @description Sends the work of an attempt back. */
        RejectReview: {
            /** @description What to change; the coder is told it. */
            reason: string;
        };
        /** @description Replaces a project's workflow. */
        ReplaceWorkflow: {
            /** @description Old state → new state of the same kind, for the states that the new workflow does not have under the same name. */
            mapping?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The project's version the caller read.
             */
            version: number;
            /** @description The new workflow. */
            workflow: components["schemas"]["WorkflowChoice"];
        };
        /** @description A repository of a project. */
        Repo: {
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /** @description The detected default branch; `null` while the repository is empty. */
            default_branch: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description Name, unique in the project. */
            name: string;
            /** @description Where it is on the server's disk. */
            path: string | null;
            /** @description Tasks that name no repository use this one. */
            primary: boolean;
            /**
             * Format: uuid
             * @description The project.
             */
            project_id: string;
            /** @description Where it was cloned from, without credentials. */
            url: string | null;
        };
        /** @description How a repository is reached elsewhere. Its token is never part of an answer. */
        RepoRemote: {
            /** @description Whether it has a token of its own. */
            has_token: boolean;
            /**
             * Format: int64
             * @description The installation of the GitHub App that opens it; a project's own comes first.
             */
            installation_id: number | null;
            /** @description Whether what lands is pushed there. */
            push: boolean;
            /** @description Where; `null` if nobody said so. */
            url: string | null;
        };
        /** @description Changes how a repository is reached elsewhere. What is left out stays. */
        RepoRemotePatch: {
            /**
             * Format: int64
             * @description The installation of the GitHub App; `null` for none.
             */
            installation_id?: number | null;
            /**
             * @description Whether what lands is pushed. For a repository of the server's own disk the address of its remote `origin` is
             *     taken as it is at this moment.
             */
            push?: boolean;
        };
        /** @description What came of a rescue. */
        Rescued: {
            /** @description The run; after a restart, the new one. */
            execution: components["schemas"]["Execution"];
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description Begins a run anew. */
        RestartExecution: {
            /** @description `fresh` if left out. */
            mode?: components["schemas"]["RestartMode"];
        };
        /**
         * @description How a run is begun anew.
         * @enum {string}
         */
        RestartMode: "fresh" | "resume";
        /** @description How an entry is restored. */
        RestoreEntry: {
            /**
             * @description Also moves the task's branch to the commit the entry was on. Otherwise it stays, and the difference is
             *     uncommitted.
             */
            move_branch?: boolean;
        };
        /** @description The workspace has the entry's files. */
        Restored: {
            /**
             * Format: int64
             * @description The entry.
             */
            number: number;
            saved: components["schemas"]["JournalEntry"] | null;
        };
        /** @description One attempt of a task at a gate. */
        Review: {
            /**
             * Format: int32
             * @description Counts up with each attempt.
             */
            attempt_number: number;
            /** @description The commit that was checked. */
            commit: string | null;
            /** @description Whether the rejection counts against the gate's attempts. Those by people do not. */
            counted: boolean;
            decided: components["schemas"]["ReviewDecision"] | null;
            /** @description What the coder is told. */
            feedback: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /** @description How it stands. */
            status: components["schemas"]["ReviewStatus"];
            /** @description The checks' results so far, in order. */
            step_results: components["schemas"]["StepResult"][];
            taken_from: components["schemas"]["ReviewOrigin"] | null;
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
            verdict: components["schemas"]["Verdict"] | null;
        };
        /** @description How a task is checked at a gate. */
        ReviewConfig: {
            /** @description Shell commands that run in order in the workspace; none at all passes. */
            ci_steps?: string[];
            /** @description What the reviewing agent is asked. */
            review_prompt?: string | null;
            /** @description Shell commands that prepare the workspace before the checks. */
            setup_steps?: string[];
            /**
             * Format: int64
             * @description Stops a step that takes longer; `null` for the server's default.
             */
            timeout_seconds?: number | null;
        };
        /** @description Somebody's word about an attempt. */
        ReviewDecision: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Whose. */
            by: components["schemas"]["Assignee"];
            /** @description It stands against the gate's own verdict. */
            overrides: boolean;
            /** @description Why, where it is not the attempt's `feedback`. */
            reason: string | null;
        };
        /** @description Where results come from that did not have to be made again. */
        ReviewOrigin: {
            /**
             * Format: date-time
             * @description When they passed.
             */
            at: string;
            /**
             * Format: uuid
             * @description The attempt that ran the checks; `null` if they ran on a trial of the merge train.
             */
            review_id: string | null;
        };
        /**
         * @description How an attempt stands.
         * @enum {string}
         */
        ReviewStatus: "running" | "passed" | "failed" | "blocked" | "superseded";
        /** @description What came of a person's word. */
        Reviewed: {
            /** @description The attempt. */
            review: components["schemas"]["Review"];
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description A project's setup of its workspaces, and what their programs find around them. */
        SetupSettings: {
            /** @description Shell lines that run in order in a new workspace, before the agent starts; the first that fails stops the task. */
            commands?: string[];
            /** @description Variables that setup, agents and checks get. `PATH`, `FORGE_…` and `GIT_…` cannot be set. */
            env?: {
                [key: string]: string;
            };
            /**
             * Format: int32
             * @description How many ports a task gets, 0 to 20, as `FORGE_PORT_0` and so on.
             */
            ports?: number;
            /**
             * Format: int64
             * @description How long all of them together may take; `null` for 600 seconds.
             */
            timeout_seconds?: number | null;
        };
        /**
         * @description How far the setup of a workspace is.
         * @enum {string}
         */
        SetupStatus: "not_needed" | "pending" | "running" | "finished" | "failed" | "stopped";
        /** @description Signing in worked. */
        SignedIn: {
            /** @description Who is signed in now. */
            user: components["schemas"]["User"];
        };
        /**
         * @description Roughly how large a directory is.
         * @enum {string}
         */
        SizeClass: "empty" | "small" | "medium" | "large";
        /**
         * @description The direction of a list.
         * @enum {string}
         */
        SortOrder: "asc" | "desc";
        /**
         * @description What the engine does with a task in a state.
         * @enum {string}
         */
        StateKind: "queue" | "work" | "gate" | "merge" | "hold" | "terminal";
        /** @description Where a task can go from a state, by meaning. */
        StateTargets: {
            /** @description Where a claim takes it. */
            claim: string | null;
            /** @description Merge: conflict. */
            conflict: string | null;
            /** @description Work: the execution succeeded. */
            done: string | null;
            /** @description Gate: rejected `max_attempts` times. */
            exhausted: string | null;
            /** @description Work: the execution failed. */
            failed: string | null;
            /** @description Where a person may move it. */
            manual: string[];
            /** @description Merge: landed. */
            merged: string | null;
            /** @description Gate: passed. */
            pass: string | null;
            /** @description Gate: rejected. */
            reject: string | null;
        };
        /** @description One state of a workflow. */
        StateView: {
            /** @description A pass goes on without a person. */
            auto_advance: boolean;
            /** @description Tasks can be claimed from here. */
            claimable: boolean;
            cleanup: components["schemas"]["Cleanup"] | null;
            /** @description What the engine does in it. */
            kind: components["schemas"]["StateKind"];
            /**
             * Format: int32
             * @description How many rejections until `exhausted`.
             */
            max_attempts: number | null;
            /** @description The state's name. */
            name: string;
            /** @description Skipped when nobody holds the role. */
            optional: boolean;
            outcome: components["schemas"]["Outcome"] | null;
            /** @description Which board column it belongs to. */
            phase: components["schemas"]["Phase"];
            /** @description The role that works or judges here. */
            role: string | null;
            /** @description Where a task can go. */
            targets: components["schemas"]["StateTargets"];
        };
        /**
         * @description How a message reaches the agent.
         * @enum {string}
         */
        SteerDelivery: "live" | "next_turn";
        /** @description What became of a message. */
        Steered: {
            /** @description How it reaches the agent. */
            delivery: components["schemas"]["SteerDelivery"];
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description One side effect that follows a change of a task. */
        Step: {
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description What is to be done. */
            kind: string;
            /** @description Why the last attempt failed. */
            last_error: string | null;
            lease: components["schemas"]["Lease"] | null;
            /**
             * Format: date-time
             * @description It is not tried before this.
             */
            not_before: string | null;
            /** @description How far it is. */
            state: components["schemas"]["StepState"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
        };
        /**
         * @description How one check ended.
         * @enum {string}
         */
        StepOutcome: "passed" | "failed" | "timed_out" | "stopped" | "quarantined";
        /** @description The result of one check. */
        StepResult: {
            /** @description The command as configured. */
            command: string;
            /**
             * Format: int64
             * @description How long it took.
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description Its exit code; `null` if it did not exit by itself.
             */
            exit_code: number | null;
            /**
             * Format: int64
             * @description Where its output begins in the attempt's log, in bytes.
             */
            log_from: number;
            /**
             * Format: int64
             * @description Where it is over.
             */
            log_to: number;
            /** @description How it ended. */
            outcome: components["schemas"]["StepOutcome"];
            /** @description The end of its output. */
            output_tail: string;
        };
        /**
         * @description How far a step is.
         * @enum {string}
         */
        StepState: "pending" | "running" | "done" | "failed" | "cancelled";
        /** @description Stops a run; the task stays where it is and nothing goes on by itself. */
        StopExecution: {
            /** @description Why, for the task. */
            reason?: string | null;
        };
        /** @description How a task is part of its parent, and what came of it. */
        Subtask: {
            /** @description The one commit on the parent's branch that came of a turn; `null` if none did. */
            commit: string | null;
            /** @description How. */
            mode: components["schemas"]["SubtaskMode"];
            /** @description Whether a run of a turn ended without a change. */
            no_changes: boolean;
            /**
             * Format: int64
             * @description A turn's place among those of its parent; `null` for an independent one.
             */
            order: number | null;
        };
        /**
         * @description How a task is part of another.
         * @enum {string}
         */
        SubtaskMode: "independent" | "ordered_turn";
        /**
         * @description Where an independent subtask lands.
         * @enum {string}
         */
        SubtaskTarget: "main" | "parent";
        /** @description A task that takes back or mends what another landed. */
        SuccessorTask: {
            /** @description The files where later work stands in the way of a revert. */
            conflicts: string[];
            /** @description Whether it was made now; one that was asked for before is named again. */
            made: boolean;
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description Which programs and places a server works with. */
        SystemInfo: {
            /** @description The directory that holds everything Forge keeps outside the database. */
            data_dir: string;
            /** @description The database: `sqlite` or `postgres`. */
            database: string;
            /** @description Its version. */
            database_version: string;
            /** @description The version of git; `null` if git did not answer. */
            git_version: string | null;
            /**
             * Format: uuid
             * @description This Forge process; the same after every restart.
             */
            node: string;
            /** @description The release. */
            version: string;
        };
        /** @description A task. */
        Task: {
            /**
             * Format: date-time
             * @description When it was hidden from lists.
             */
            archived_at: string | null;
            budget: components["schemas"]["Budget"] | null;
            busy: components["schemas"]["Busy"] | null;
            cleanup: components["schemas"]["CleanupReport"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The tasks that must finish first. */
            dependencies: string[];
            /** @description The full prompt for the agent; empty if none was given. */
            description: string;
            error_annotation: components["schemas"]["ErrorAnnotation"] | null;
            /** @description What one hand told the next, the oldest first. */
            handoffs: components["schemas"]["Handoff"][];
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description The number as people write it, for example `T-12`. */
            key: string;
            /** @description What it is. */
            kind: components["schemas"]["TaskKind"];
            /** @description Labels. */
            labels: string[];
            landing: components["schemas"]["Landing"] | null;
            /** @description How it is landed. */
            merge_config: components["schemas"]["MergeConfig"];
            /** @description Messages to its agent that are not known to be read yet, the oldest first (SPEC T-22). */
            messages: components["schemas"]["QueuedMessage"][];
            /** @description Kept for the user's own tools; `handoff` in it says where the work of the last handoff is. */
            metadata: Record<string, never>;
            /**
             * Format: int64
             * @description Counts up per project.
             */
            number: number;
            origin: components["schemas"]["TaskOrigin"] | null;
            /**
             * Format: uuid
             * @description The task it is a part of.
             */
            parent: string | null;
            /** @description Which part of the board that state belongs to. */
            phase: components["schemas"]["Phase"];
            /**
             * Format: int32
             * @description Higher goes first.
             */
            priority: number;
            /**
             * Format: uuid
             * @description Its project.
             */
            project_id: string;
            pull_request: components["schemas"]["PullRequest"] | null;
            regression: components["schemas"]["Regression"] | null;
            /**
             * Format: uuid
             * @description The repository it works on; `null` in a project without one.
             */
            repo_id: string | null;
            /**
             * Format: uuid
             * @description The task that takes back what it landed.
             */
            reverted_by: string | null;
            /** @description How it is checked. */
            review_config: components["schemas"]["ReviewConfig"];
            /**
             * Format: date-time
             * @description When the present content passed its gate.
             */
            review_passed_at: string | null;
            /** @description Who holds which role. */
            roles: {
                [key: string]: components["schemas"]["Assignee"];
            };
            /** @description The workflow state it is in. */
            status: string;
            subtask: components["schemas"]["Subtask"] | null;
            /** @description Short label. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Changes with every write; send it back when changing the task.
             */
            version: number;
            /** @description The exact workflow definition it follows. */
            workflow_hash: string;
        };
        /**
         * @description What a task is (SPEC §3.7).
         * @enum {string}
         */
        TaskKind: "task" | "session" | "run" | "triage";
        /** @description The task that another was made for. */
        TaskOrigin: {
            /** @description Why. */
            kind: components["schemas"]["OriginKind"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
        };
        /** @description Changes a task's own fields; what is left out stays. The status changes by a transition only. */
        TaskPatch: {
            budget?: components["schemas"]["Budget"] | null;
            /** @description New description; `null` empties it. */
            description?: string | null;
            /** @description New list of labels. */
            labels?: string[];
            merge_config?: components["schemas"]["MergeConfig"] | null;
            /** @description New metadata, as a whole. */
            metadata?: Record<string, never>;
            /**
             * Format: int32
             * @description New priority.
             */
            priority?: number;
            review_config?: components["schemas"]["ReviewConfig"] | null;
            /** @description New title. */
            title?: string;
            /**
             * Format: int64
             * @description The version the caller read.
             */
            version: number;
        };
        /** @description Exactly what a role would be told now. */
        TaskPrompt: {
            /** @description Whether the project has a template of its own for the role. */
            customised: boolean;
            /** @description The words. */
            prompt: string;
            /** @description What its turn is for. */
            purpose: components["schemas"]["PromptPurpose"];
            /** @description The role. */
            role: string;
        };
        /**
         * @description What a task list is ordered by.
         * @enum {string}
         */
        TaskSort: "created" | "updated" | "priority";
        /** @description Why a task waits. */
        TaskWaiting: {
            /** @description Whether it is one that an agent can be given. */
            claimable: boolean;
            /** @description How people call it. */
            key: string;
            /**
             * Format: int64
             * @description Its place among the equally served of its project; `null` while something else keeps it.
             */
            place: number | null;
            /** @description What keeps it, the first thing to do something about first; empty if it does not wait. */
            reasons: components["schemas"]["WaitReason"][];
            /** @description Its status. */
            status: string;
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
        };
        /** @description A token, without its secret. */
        Token: {
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it stops working.
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            last_used_at: string | null;
            /** @description What it is for, in the user's words. */
            name: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revoked_at: string | null;
            /** @description What it can be used for. */
            scope: components["schemas"]["TokenScope"];
            /**
             * Format: uuid
             * @description Whose it is.
             */
            user_id: string;
        };
        /** @description What a run used. */
        TokenCount: {
            /**
             * Format: int64
             * @description Tokens read, those from a cache included.
             */
            input: number;
            /**
             * Format: int64
             * @description Tokens written.
             */
            output: number;
        };
        /**
         * @description What a token can be used for.
         * @enum {string}
         */
        TokenScope: "full" | "read_only";
        /** @description Those who wait for one target branch. */
        Train: {
            /** @description Who waits, in the order in which they are to land. */
            cars: components["schemas"]["TrainCar"][];
            /** @description The server that runs it; `null` for the one that answers. */
            node: string | null;
            /** @description The target branch. */
            target: string;
            /**
             * Format: int64
             * @description How many are tried at once now; `null` where only the server that runs it knows.
             */
            window: number | null;
        };
        /** @description A task that waits to land. */
        TrainCar: {
            /** @description The commit that is tried; `null` while none is. */
            commit: string | null;
            /** @description How people call it; `null` for a task of another project. */
            key: string | null;
            /** @description What is known of it with all before it. */
            standing: components["schemas"]["CarStanding"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
            /** @description Its title; `null` for a task of another project. */
            title: string | null;
        };
        /** @description One recorded change of a task's status. */
        Transition: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The state before. */
            from_state: string;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description A gate turned the task back. */
            rejection: boolean;
            /** @description The state after. */
            to_state: string;
            /** @description Why; for a rejection, the feedback. */
            trigger_reason: string | null;
            /** @description Who did it. */
            triggered_by: components["schemas"]["Actor"];
        };
        /**
         * @description What a transition answers; which shape depends on the kind of the state that was entered.
         *
         *     The order of the variants matters when reading: the plain task comes last.
         */
        TransitionAnswer: {
            /** @description The checks' results. */
            review: components["schemas"]["Review"];
            /** @description The task after the checks. */
            task: components["schemas"]["Task"];
        } | {
            /** @description The work that is still to be done. */
            step: components["schemas"]["Step"];
            /** @description The task as it is now. */
            task: components["schemas"]["Task"];
        } | components["schemas"]["Task"];
        /** @description Moves a task to another state. */
        TransitionRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description The state to move it to. */
            status: string;
            /**
             * Format: int64
             * @description The task's version the caller read.
             */
            version: number;
        };
        /** @description What was used, as an agent's program told it. */
        Usage: {
            /**
             * Format: int64
             * @description Of these, from a cache.
             */
            cached_tokens: number;
            /**
             * Format: int64
             * @description Millionths of a US dollar; `null` where no program named a cost.
             */
            cost_micro_usd: number | null;
            /**
             * Format: int64
             * @description Tokens read, those from a cache included.
             */
            input_tokens: number;
            /**
             * Format: int64
             * @description Tokens written.
             */
            output_tokens: number;
        };
        /** @description The same, summed over executions. */
        UsageSum: {
            budget: components["schemas"]["Budget"] | null;
            /**
             * Format: int64
             * @description How many executions told anything.
             */
            executions: number;
            /** @description Whether that is used up: no agent begins before it is raised. */
            exhausted: boolean;
            /** @description What they used together. */
            usage: components["schemas"]["Usage"];
        };
        /** @description Signs in with the one-time link that `serve` prints on first run. */
        UseLink: {
            /**
             * Format: password
             * @description The code in the link.
             */
            code: string;
            /** @description What the first admin is called; `admin` if left out. */
            name?: string | null;
            /**
             * Format: password
             * @description The first admin's password; without one they need a token once the session is over.
             */
            password?: string | null;
        };
        /** @description A person. */
        User: {
            /**
             * Format: date-time
             * @description When the user was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Identifier.
             */
            id: string;
            /** @description The name they sign in with. */
            name: string;
            /** @description What they may do. */
            role: components["schemas"]["UserRole"];
        };
        /**
         * @description What a person may do.
         * @enum {string}
         */
        UserRole: "admin" | "member";
        /**
         * @description What a reviewer says.
         * @enum {string}
         */
        Verdict: "pass" | "fail" | "blocked";
        /**
         * @description How the caller proved who they are.
         * @enum {string}
         */
        Via: "session" | "token" | "execution";
        /**
         * @description What keeps a claimable task from being given to an agent.
         * @enum {string}
         */
        WaitCode: "project_paused" | "dispatch_off" | "dispatch_paused" | "needs_attention" | "held_by_person" | "ending" | "dependency" | "conflict_hold" | "budget_exhausted" | "no_repository" | "no_agent" | "agent_paused" | "quota_wait" | "agent_at_capacity" | "project_at_capacity" | "node_at_capacity" | "disk_low" | "memory_low" | "pressure_high" | "next_in_line";
        /** @description One reason why a task waits. */
        WaitReason: {
            /** @description Which. */
            code: components["schemas"]["WaitCode"];
            /** @description The same in words, with what to do about it. */
            message: string;
            /** @description What it is about: the tasks it waits for, the agents that are busy; empty where there is nothing to name. */
            subjects: string[];
        };
        /** @description A built-in template by name, or a whole definition. */
        WorkflowChoice: string | Record<string, never>;
        /** @description Which workflow a project has now. */
        WorkflowRef: {
            /** @description Identifies the exact definition. */
            hash: string;
            /** @description The workflow's name. */
            name: string;
        };
        /** @description A workflow. */
        WorkflowView: {
            /** @description Where cancelled tasks go. */
            cancel: string;
            /** @description Where the engine parks what needs a person. */
            fault: string;
            /** @description Identifies the exact definition. */
            hash: string;
            /** @description Where new tasks start. */
            initial: string;
            /** @description The workflow's name. */
            name: string;
            /** @description All states, in the order of the definition. */
            states: components["schemas"]["StateView"][];
        };
        /** @description A task's workspace. What git would have to be asked for is `null` once the directory is gone. */
        Workspace: {
            /**
             * Format: int64
             * @description Commits the target branch does not have.
             */
            ahead: number | null;
            /** @description The commit the branch began at. */
            base: string | null;
            /**
             * Format: int64
             * @description Commits of the target branch it does not have.
             */
            behind: number | null;
            /** @description The branch; `null` without git or on a detached commit. */
            branch: string | null;
            dirty: components["schemas"]["DirtyCounts"] | null;
            /** @description The commit it is at. */
            head: string | null;
            /** @description The task's key, such as `T-12`. */
            key: string;
            /** @description What last went wrong. */
            last_error: string | null;
            lock: components["schemas"]["WorkspaceLock"] | null;
            /** @description The directory on the server's disk. */
            path: string;
            /**
             * Format: uuid
             * @description The task's project.
             */
            project_id: string;
            /** @description How it stands. */
            status: components["schemas"]["WorkspaceStatus"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
            /** @description The task's title. */
            title: string;
        };
        /** @description Who works in a workspace now (SPEC W-4). */
        WorkspaceLock: {
            /**
             * Format: uuid
             * @description The execution; `null` when Forge itself works there.
             */
            execution_id: string | null;
            /** @description On whose behalf: the execution, or the step that Forge carries out. */
            holder: string;
            /** @description The Forge process's machine. */
            node: string;
            /**
             * Format: int32
             * @description The process that holds the lock.
             */
            pid: number;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
        };
        /** @description The last setup of a task's workspace. */
        WorkspaceSetup: {
            /**
             * Format: date-time
             * @description When it was wanted.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /** @description A part of what it said. */
            log: components["schemas"]["LogPage"];
            /** @description The ports that the task holds: `FORGE_PORT_0` first. */
            ports: number[];
            /** @description How far it is. */
            status: components["schemas"]["SetupStatus"];
        };
        /**
         * @description How a workspace stands.
         * @enum {string}
         */
        WorkspaceStatus: "preparing" | "ready" | "cleaning" | "cleaned" | "corrupted" | "error";
        /**
         * @description Where a project's tasks run (SPEC W-1).
         * @enum {string}
         */
        WorkspaceType: "git_worktree" | "persistent_directory";
    };
    responses: {
        /** @description It did not work; `code` says why and `message` what to do next. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_agents: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_agent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    check_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All at a glance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsCheck"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    update_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    pause_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    resume_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_agent_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSum"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    use_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseLink"];
            };
        };
        responses: {
            /** @description Signed in; the session is a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description Signed in; the session is a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    start_demo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoStarted"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_demo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The demonstration's project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    stream_events: {
        parameters: {
            query?: {
                /** @description Only events of this project. */
                project?: string;
                /** @description Only these types, separated by commas. */
                type?: string;
                /** @description Begin after this event, where a client cannot send `Last-Event-ID`. */
                after?: string;
            };
            header?: {
                /** @description The id of the last event that was received */
                "Last-Event-ID"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, for as long as the client listens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_execution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    follow_up: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFollowUp"];
            };
        };
        responses: {
            /** @description The new run is under way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claimed"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_execution_log: {
        parameters: {
            query?: {
                /** @description The events after this number; 0 if left out. */
                after?: number;
                /** @description How many at most. */
                limit?: number;
                /** @description The last so many instead. */
                tail?: number;
            };
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogEventPage"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_execution_output: {
        parameters: {
            query?: {
                /** @description The byte to begin at; 0 if left out. */
                from?: number;
                /** @description How many bytes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the output. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    stream_execution_log: {
        parameters: {
            query?: {
                /** @description The events after this number; 0 if left out. */
                after?: number;
            };
            header?: {
                /** @description The id of the last event that was received */
                "Last-Event-ID"?: string | null;
            };
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the run is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LogEvent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    fail_execution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailExecution"];
            };
        };
        responses: {
            /** @description Its processes are gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rescued"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_pulse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pulse. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pulse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    restart_execution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestartExecution"];
            };
        };
        responses: {
            /** @description The new run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rescued"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    steer_execution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSteer"];
            };
        };
        responses: {
            /** @description The message is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Steered"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    stop_execution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopExecution"];
            };
        };
        responses: {
            /** @description Its processes are gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rescued"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    give_verdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The reviewer's execution. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVerdict"];
            };
        };
        responses: {
            /** @description The attempt that is judged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    list_projects: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    update_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_checks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckRecord"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    quarantine_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Quarantine"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckRecord"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_conflicts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflicts"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Member"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    add_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMember"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is not a member */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    pause_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_repos: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Repo"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    add_repo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRepo"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repo"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    remove_repo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    put_repo_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                repo: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCredential"];
            };
        };
        responses: {
            /** @description Stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    delete_repo_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    get_repo_remote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepoRemote"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    change_repo_remote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                repo: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepoRemotePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepoRemote"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    resume_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description Only tasks in this workflow state. */
                status?: string;
                /** @description Only tasks in this part of the board. */
                phase?: components["schemas"]["Phase"];
                /** @description Only tasks with this label. */
                label?: string;
                /** @description Only tasks in which this agent holds a role. */
                agent?: string;
                /** @description Only tasks whose title or description has these words. */
                text?: string;
                /** @description Only tasks of this kind. */
                kind?: components["schemas"]["TaskKind"];
                /** @description Also archived tasks. */
                include_archived?: boolean;
                /** @description What the list is ordered by; `created` if left out. */
                sort?: components["schemas"]["TaskSort"];
                /** @description The direction; `desc` if left out. */
                order?: components["schemas"]["SortOrder"];
                /** @description How many tasks at most. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and order. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description The task. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_task_by_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                id: string;
                /** @description The task's number. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_train: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Train"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    pause_train: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Train"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    resume_train: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Train"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_project_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSum"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_waiting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskWaiting"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_project_workflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowView"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    replace_project_workflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceWorkflow"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_review: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The review. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The review. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_review_log: {
        parameters: {
            query?: {
                /** @description The byte to begin at; 0 if left out. */
                from?: number;
                /** @description How many bytes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The review. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_dispatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    pause_dispatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    resume_dispatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    system_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemInfo"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    system_recovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryReport"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    update_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskPatch"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_actions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Action"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    archive_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    cancel_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Cancel"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    claim_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: do not wait. */
                Prefer?: string | null;
            };
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Claim"];
            };
        };
        responses: {
            /** @description Claimed, the workspace is ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claimed"];
                };
            };
            /** @description Claimed, the workspace is being made. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claimed"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_comments: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Comment"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewComment"];
            };
        };
        responses: {
            /** @description The comment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_dependencies: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Dependency"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    add_dependency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDependency"];
            };
        };
        responses: {
            /** @description The task waits. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dependency"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    remove_dependency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The task it waits for. */
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task does not wait for the other. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    get_diff: {
        parameters: {
            query?: {
                /** @description Which changes. */
                scope?: components["schemas"]["DiffScope"];
                /** @description In which form. */
                format?: components["schemas"]["DiffFormat"];
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes, in the form that was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                    "text/x-diff": string;
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    stream_diff: {
        parameters: {
            query?: {
                /** @description Which changes. */
                scope?: components["schemas"]["DiffScope"];
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes, for as long as the client listens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["DiffNews"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_executions: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Execution"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    hand_off_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHandoff"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_journal: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_JournalEntry"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_journal_diff: {
        parameters: {
            query?: {
                /** @description With what. */
                against?: components["schemas"]["JournalAgainst"];
                /** @description In which form. */
                format?: components["schemas"]["DiffFormat"];
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The entry. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes, in the form that was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalDiff"];
                    "text/x-diff": string;
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    fork_journal_entry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The entry. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForkEntry"] | null;
            };
        };
        responses: {
            /** @description The new task. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    restore_journal_entry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The entry. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreEntry"] | null;
            };
        };
        responses: {
            /** @description It has the files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restored"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    preview_prompt: {
        parameters: {
            query?: {
                /** @description A role of the task's workflow; the one that carries the task if left out. */
                role?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskPrompt"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    look_at_pull_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    rebase_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RebaseTask"];
            };
        };
        responses: {
            /** @description The target is merged in, or both sides are in the files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebasedTask"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    report_regression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRegression"];
            };
        };
        responses: {
            /** @description The task that mends it already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            /** @description The task that mends it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    revert_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task that does it already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            /** @description The task that does it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_reviews: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Review"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    approve_review: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The attempt's number. */
                attempt: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveReview"];
            };
        };
        responses: {
            /** @description It has passed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reviewed"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    reject_review: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The attempt's number. */
                attempt: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectReview"];
            };
        };
        responses: {
            /** @description It is sent back. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reviewed"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    assign_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description A role of the task's workflow. */
                role: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignRole"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_steps: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Step"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_subtasks: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    move_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: do not wait. */
                Prefer?: string | null;
            };
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransitionRequest"];
            };
        };
        responses: {
            /** @description Moved, and what followed has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionAnswer"];
                };
            };
            /** @description Moved; `step` is still to be done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionAnswer"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_transitions: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Transition"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    unarchive_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_task_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSum"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    why_task_waits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskWaiting"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    clean_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanWorkspaces"];
            };
        };
        responses: {
            /** @description What became of it, or would. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cleaned"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    reset_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_workspace_setup: {
        parameters: {
            query?: {
                /** @description The byte to begin at; 0 if left out. */
                from?: number;
                /** @description How many bytes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setup. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSetup"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Token"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_User"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_workflows: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WorkflowView"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_workspaces: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Workspace"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    clean_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanWorkspaces"];
            };
        };
        responses: {
            /** @description What became of each, or would. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Cleaned"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_orphans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Orphan"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
}
