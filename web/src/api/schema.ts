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
         * @description Ordered by name: agents of the server and of the caller's projects; all agents for admins.
         */
        get: operations["list_agents"];
        put?: never;
        /**
         * Create an agent
         * @description With `project_id` the agent belongs to that project, and a user who may define commands there may create it.
         *     Without it the agent belongs to the server and works for every project, which needs an admin.
         */
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
        /**
         * Show an overview of executions and workspaces
         * @description Agents that work or are stuck, failed tasks, tasks that wait for a person and abandoned workspaces, each with its
         *     evidence, its age and the next commands.
         */
        get: operations["check_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/programs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agent programs of the server
         * @description One entry for each kind that has a program of its own, in a fixed order: whether this server finds it, its version
         *     and its login state.
         */
        get: operations["list_agent_programs"];
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
        /**
         * Remove an agent
         * @description Refused while executions of it are open. It loses its roles in open tasks, and no agent falls back on it. Its history
         *     stays and shows its name, which can be given to another agent.
         */
        delete: operations["remove_agent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Fields that are left out stay as they are; a stale `version` is refused. Running executions continue unchanged.
         *     Admins change agents of the server; users who may define commands in a project change the program of its agents.
         */
        patch: operations["update_agent"];
        trace?: never;
    };
    "/api/v1/agents/{id}/environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the environment of an agent
         * @description Variable names only, grouped by source, and whether an API key is charged instead of a subscription.
         */
        get: operations["get_agent_environment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description It gets no new work; running executions continue. Pausing a paused agent changes nothing.
         */
        post: operations["pause_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an agent's program
         * @description Whether the server finds it, its version and its login state. An agent that waits for a login continues if its
         *     program is signed in.
         */
        post: operations["probe_agent"];
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
        /**
         * Show tokens and cost of all executions of an agent
         * @description In the projects that the caller may see.
         */
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
         * Sign in with a one-time link
         * @description The link of the first start creates the first admin; the link of a user sets that user's password. A link works once;
         *     a used or expired one answers `link_used`.
         */
        post: operations["use_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the server's local credential
         * @description For programs of the server's own user, on the same machine: the credential is a file in the data directory that only
         *     that user can read, and each start of the server replaces it. The answer holds a token of the server's first admin,
         *     who is created if the server has no user.
         */
        post: operations["local_sign_in"];
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
        /** Show the caller */
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
         * @description Creates a temporary repository and a project with scripted agents that start working at once. Each call creates
         *     another demonstration.
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
        /** Show the state of a demonstration */
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
         * Stream events
         * @description Server-sent events whose data is an `EventView`. The stream starts with new events; send the last id as
         *     `Last-Event-ID` (or `after`) to continue after it without a gap, or `after=0` for all stored events. Callers that
         *     are not admins get events outside projects and the events of their projects while they are members.
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
        /** Show an execution */
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
         * Continue an execution that has ended
         * @description Continues its conversation in the same workspace. No work may be running for the task, its agent must still hold
         *     the role, and the task must be in a state in which that role works, or be movable to one.
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
        /**
         * Read log events of an execution
         * @description By event number. Secrets are redacted.
         */
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
        /**
         * Read a part of an execution's output
         * @description By bytes; pages end between characters. Secrets are redacted.
         */
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
         * Stream the log of an execution
         * @description Server-sent events named `log` whose data is a `LogEvent` and whose id is its number, from the beginning or after
         *     the number in `Last-Event-ID` (or `after`). After the end of the execution the server sends an event named `end`
         *     and closes the stream.
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
        /**
         * Mark an execution as failed
         * @description Whatever it reports: it is stopped, and its task moves to the state for failed work.
         */
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
        /**
         * Show the activity of an execution
         * @description Its last output, current tool and changed files. Secrets are redacted.
         */
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
         * Restart the last execution of a task
         * @description It starts with the current files; a running execution is stopped first. A task that a failed execution parked goes
         *     back to work.
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
         * Send a message to a running agent
         * @description If its program supports it, the agent gets the message during its execution. Otherwise, or if the agent does not
         *     read it before its end, another execution with the message follows. Until then the task lists it in `messages`.
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
        /**
         * Stop an execution
         * @description The task stays in its state, and Forge starts nothing by itself: restart the execution, or move the task.
         */
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
         * Give the verdict of a reviewing execution
         * @description Sent with the token of the execution. The last verdict before the end of the execution counts, and it takes
         *     precedence over its output.
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
         * Change your own password
         * @description Needs the old password, unless the user has none yet. All other browsers are signed out; tokens stay valid.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/needs-person": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks that wait for a person
         * @description Every task of the caller's projects that continues only when a person acts: passed reviews, pending verdicts of
         *     people, parked and failed tasks, landings that wait for a checkout. Longest wait first, each with its reason, its
         *     age and the next commands. Tasks that are only queued, and tasks that a person works on, are not in it.
         */
        get: operations["list_needs_person"];
        put?: never;
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
         * @description All projects for admins, else those the caller is a member of.
         */
        get: operations["list_projects"];
        put?: never;
        /**
         * Create a project
         * @description Its workflow is a template's name or a whole definition; a definition with mistakes is refused with all of them.
         *     The caller becomes its first member. With `repo_path` it gets its first repository: either both are created, or
         *     neither.
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
        /**
         * Remove a project
         * @description Only for admins. Refused while a task is open or a workspace is left. Its tasks and events stay as history; the answer
         *     lists what stays in its repositories: no branch and no saved state is deleted.
         */
        delete: operations["remove_project"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Fields that are left out stay as they are; a stale `version` is refused.
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
         * List the statistics of a project's checks
         * @description For its primary repository; checks that most often gave two results on one tree come first.
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
         * Ignore the failures of a check for a limited time
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
         * List the live branches that conflict with each other
         * @description Forge merges every pair of live branches of a repository, without a checkout, soon after one of them moves; work
         *     that is saved in the journal counts as committed. The events `conflict.detected` and `conflict.cleared` report
         *     changes.
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
         * @description Ordered by name. Admins see every project and need not be members.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Add a member to a project
         * @description From then on the user sees and changes the project, and gets its events. Adding a member again changes nothing.
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
         * @description Members may also remove themselves. From then on the user does not see the project or its events. Roles that the
         *     user holds on its tasks stay until they are assigned to another user or agent.
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
         * @description While it is paused agents cannot claim its tasks; people can. Pausing it again changes nothing.
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
         * @description By its absolute path on the server's disk, or by the address (`https://`, `http://`, `ssh://`, `file://`) of a
         *     remote, which the server clones before it answers. The first repository becomes the primary one.
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
         * Remove a repository from a project
         * @description Refused while a task needs it. A repository on the server's disk stays as it is; the clone of a remote moves to a
         *     separate place in the data directory. If it was the primary repository, the oldest remaining one becomes primary.
         */
        delete: operations["remove_repo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos/{repo}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how a repository's git settings differ from the server's copy
         * @description The server works with the settings, attributes and ignore files as they were when the repository was registered.
         *     While drivers, includes or attributes differ, tasks are parked at their gate or landing with
         *     `repository_config_changed`.
         */
        get: operations["get_repo_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/repos/{repo}/config/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the current git settings of a repository
         * @description For admins, because the server runs the programs that the settings name. Returns the accepted changes.
         */
        post: operations["accept_repo_config"];
        delete?: never;
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
         * Set the token of a repository
         * @description Replaces the previous token. The server stores it encrypted, passes it to git through a pipe, and never returns
         *     it.
         */
        put: operations["put_repo_credential"];
        post?: never;
        /** Remove the token of a repository */
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
        /** Show the remote of a repository */
        get: operations["get_repo_remote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change whether landed commits are pushed, and which installation of the GitHub App gives access
         * @description By default Forge pushes to the remote of a cloned repository, and does not push a repository on the server's disk.
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
    "/api/v1/projects/{id}/task-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count a project's tasks
         * @description By phase of the board and by state, without archived tasks.
         */
        get: operations["count_tasks"];
        put?: never;
        post?: never;
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
        /**
         * List a project's tasks
         * @description Archived tasks only on request.
         */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Create a task
         * @description It starts in the workflow's initial state; in a project with dispatch on, in the claimable queue, where dispatch
         *     finds it.
         */
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
        /**
         * Show the task with this number
         * @description The number on the project's board: 12 for T-12.
         */
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
         * Show the merge trains of a project
         * @description One train for each target branch that tasks of this project wait for, with all its entries. A train that another
         *     server runs is shown with this project's tasks only, and without the state of their trials. To take a task out,
         *     move it to a state for people; to test it again, move it back.
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
         * Pause landing in a project
         * @description Running trials continue. Pausing it again changes nothing.
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
        /** Resume landing in a project */
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
        /** Show tokens and cost of all executions in a project */
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
         * @description The first two hundred in the order of dispatch, each with the reasons that keep it.
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
    "/api/v1/projects/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's webhooks
         * @description Ordered by name, each with its state.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Add a webhook to a project
         * @description It gets every event of the project from now on, in order and at least once, as the JSON of the event stream, signed
         *     by the Standard Webhooks scheme. Only this answer contains the secret.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a webhook */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description An event that is being posted at this moment may still arrive; none follows.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change, enable or disable a webhook
         * @description The next attempt follows at once.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest deliveries of a webhook
         * @description Newest first. The server keeps the latest 100; a repeated attempt at an event replaces the earlier one.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook}/deliveries/{number}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event of a delivery again
         * @description At once and out of order, with the same `webhook-id`; answers with the result.
         */
        post: operations["redeliver_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook
         * @description Posts an event of the type `webhook.ping` and answers with the result. If the receiver accepts it, an event that
         *     waits for its next attempt follows at once.
         */
        post: operations["test_webhook"];
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
         * @description All its tasks that have not ended move to the new workflow at once: each to the state that `mapping` gives for its
         *     own, else to the state of the same name. Both states must be of the same kind, so nothing starts or stops: a
         *     running agent continues. States that contain tasks and have no such successor are refused with `workflow_in_use`,
         *     and nothing changes. Ended tasks keep their workflow.
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
        /** Show an attempt at a gate */
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
        /**
         * Read a part of the output of an attempt's checks
         * @description By bytes; pages end between characters.
         */
        get: operations["get_review_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what goes on in all projects
         * @description The tasks of the caller's projects that wait for a person, are being worked on, are queued, and landed recently:
         *     the number of each, and the first few with the agent or user, the age and the next commands.
         */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Download a copy of the database
         * @description Only for admins, and only of the embedded database (SQLite): a consistent copy as of now, while the server works. The
         *     server keeps no copy. The copy contains hashes of passwords and tokens, so keep it like one.
         */
        post: operations["back_up_database"];
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
        /** Show the state of dispatch */
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
         * Pause dispatch on the server
         * @description For admins. Running executions continue, and people may still claim. Pausing it again changes nothing.
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
        /** Resume dispatch on the server */
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
        /** Show versions and directories */
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
        /** Show what the last start recovered */
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
        /** Show a task */
        get: operations["get_task"];
        put?: never;
        post?: never;
        /**
         * Delete a task on which no work was done
         * @description A task that had a workspace, an execution or a review is refused, as is one that other tasks need: cancel it, then
         *     archive it.
         */
        delete: operations["delete_task"];
        options?: never;
        head?: never;
        /**
         * Change a task's own fields
         * @description Its status changes only by a transition.
         */
        patch: operations["update_task"];
        trace?: never;
    };
    "/api/v1/tasks/{id}/accept-landed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept work that landed outside Forge
         * @description For work that is on its target without a recorded landing (`landed_outside`); the task ends as if Forge had landed
         *     it. To undo the work instead, revert the task.
         */
        post: operations["accept_landed_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions that the caller can perform on a task now
         * @description Each as the request that performs it.
         */
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
        /**
         * Archive a task
         * @description This hides it from lists.
         */
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
        /**
         * Cancel a task
         * @description Its processes are gone before the answer.
         */
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
        /**
         * Claim a task for an agent or for the caller
         * @description Answers once the workspace is ready. After a handoff it waits for the end of the last execution.
         */
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
        /**
         * List a task's comments
         * @description Oldest first.
         */
        get: operations["list_comments"];
        put?: never;
        /** Write a comment, or an answer to one */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in the work on a task
         * @description For the user or the execution that works on it: the task moves along the `done` edge of its state. Into a gate, the
         *     answer is `{task, review}` once the checks have run.
         */
        post: operations["complete_task"];
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
        /** List the tasks that a task waits for */
        get: operations["list_dependencies"];
        put?: never;
        /** Make a task wait for another task of its project */
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
        /** Remove a dependency of a task */
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
         * Show the changes of a task
         * @description Binary and huge files are named, not shown. After the workspace is removed: what landed, or what is left on the
         *     branch.
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
         * Stream the changes of a task
         * @description Server-sent events: a `diff` whose data is a `DiffEvent`, at once and then whenever the changes differ, and an
         *     `end` when the workspace is removed. A written file is reported within a moment.
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
    "/api/v1/tasks/{id}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a task's effects
         * @description In the order of their creation.
         */
        get: operations["list_effects"];
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
        /**
         * List a task's executions
         * @description Oldest first.
         */
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
         * Hand off a task
         * @description Before the answer its execution is stopped and its work is saved. The task then has no holder, and the next claim
         *     continues in the same worktree on the same branch, with the note in its prompt.
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
        /**
         * List the journal entries of a task's workspace
         * @description Newest first.
         */
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
        /**
         * Compare a journal entry
         * @description With the previous entry, with the start of the task, or with the current files.
         */
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
        /** Create a task whose workspace starts with an entry's files */
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
         * Restore the workspace's files from a journal entry
         * @description The current files become an entry first. Work that landed since the entry stays: on another base the entry's
         *     change is merged in, and the answer names conflicts. Refused while an execution or a user works in the workspace.
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
        /** Show the exact prompt that a role would get now */
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
         * Check a task's pull request now
         * @description Without this request Forge checks it within two minutes. Changes nothing for a task that does not wait for a pull
         *     request. The answer is the task before the check; events report the result.
         */
        post: operations["look_at_pull_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a task's questions
         * @description Oldest first, with their answers.
         */
        get: operations["list_questions"];
        put?: never;
        /**
         * Ask the person in charge of a task
         * @description An execution asks about its own task; it should then end its turn. While a question is open, the work is not handed
         *     in: the task needs a person, and the answer reaches the agent while it runs, or as its next turn.
         */
        post: operations["ask_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/questions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a question, or wait for its answer */
        get: operations["get_question"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/questions/{number}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description The answer reaches the agent once: while it runs if its program accepts messages, else as its next turn. If the
         *     task waits for the answer, the agent starts now.
         */
        post: operations["answer_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/questions/{number}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that an awaited answer has arrived
         * @description Sent by the execution that asked, once it has fetched the answer; otherwise the answer also becomes its next turn.
         */
        post: operations["confirm_answer"];
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
         * Merge the target into a task's branch
         * @description Forge merges in the task's workspace and sends the task back to work. A conflict stays in the files with git's
         *     conflict markers, and the next prompt names the files. Uncommitted work is committed first, and is also saved in
         *     the journal.
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
        /**
         * Report that a landed task broke something
         * @description Creates the task that fixes it. A repeated request returns the same task.
         */
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
         * Create a task that reverts a landed task
         * @description Its branch contains the inverse of what the task landed, and it starts at the gate. If later work conflicts, its
         *     workspace contains both sides. A repeated request returns the same task.
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
        /**
         * List a task's attempts at gates
         * @description Oldest first.
         */
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
         * Approve the last attempt at a gate
         * @description In place of its reviewer, or, with a reason, against the gate's decision. The task lands like any other, but has
         *     no receipt.
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
        /**
         * Reject the last attempt at a gate
         * @description Sends the work back; the coder's prompt contains the reason, and the attempt does not count.
         */
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
         * Assign a role to an agent or a user
         * @description If the role carries the task, its current execution is stopped before the answer, and the task goes back to its
         *     queue. A requested reset is done before the answer; otherwise the answer is 202 and the effect is in the task's
         *     list of effects.
         */
        post: operations["assign_role"];
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
        /**
         * List a task's subtasks
         * @description Ordered turns in their order, then independent subtasks.
         */
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
         * Move a task to another state
         * @description Into a gate, the answer is `{task, review}` once the checks have run; into a merge state, the task after the
         *     landing.
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
        /**
         * List every change of a task's status
         * @description Oldest first.
         */
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
        /** Take a task out of the archive */
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
        /**
         * Show tokens and cost of a task's executions
         * @description As far as their programs report them.
         */
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
         * Show what a task waits for
         * @description Works in every state: what has to act before the task continues, why, and what the caller can do next. `reasons`
         *     lists what keeps a queued task from being assigned to an agent.
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
        /**
         * Show a task's workspace
         * @description Its directory, distance from its target, uncommitted changes and lock.
         */
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
         * Remove a task's worktree now
         * @description Or report what that would do. Uncommitted work is saved first, and the branch stays unless its content landed.
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
         * Reset a task's workspace
         * @description Discards the workspace and creates a new one from the target branch. The old content is saved in the journal and
         *     the archive; the task can be claimed again.
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
        /**
         * Show the last setup of a task's workspace
         * @description With a part of its output, by bytes; parts end between characters.
         */
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
         * @description Only this answer contains the secret.
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
         * @description Your own token, or any token for an admin. From then on it is invalid; revoking it again changes nothing.
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
         * @description In the order of creation. Every user may see all users: their names appear beside actions, and a user must be able
         *     to find an admin.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * Create a user
         * @description Only for admins.
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
         * @description Open to every user, like the list.
         */
        get: operations["get_user"];
        put?: never;
        post?: never;
        /**
         * Remove a user
         * @description Only for admins, and not for the own account. Sessions and tokens end before the answer. The history stays and shows
         *     the name, which can be given to another user.
         */
        delete: operations["remove_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link with which a user sets a password
         * @description Only for admins. The link works once, for three days; it ends the user's earlier links. When the user sets the
         *     password, the user's sessions end; tokens stay valid.
         */
        post: operations["create_user_link"];
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
         * @description A project can use any of them as its workflow.
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
         * List the workspaces on disk
         * @description Ordered by directory. A workspace that has not changed since the last look costs no git process.
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
        /**
         * Remove the workspaces of all ended tasks
         * @description Or report what that would do. Orphans are listed and not touched.
         */
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
        /**
         * List directories that belong to no live task
         * @description Directories under the workspace root. Forge never deletes them by itself.
         */
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
        /** @description Request to accept work that landed outside Forge (SPEC W-19). */
        AcceptLanded: {
            /** @description Why the work is accepted. */
            reason?: string | null;
        };
        /** @description A field of the action's request body. */
        ActionParameter: {
            /** @description The permitted values, if there are only a few; otherwise `null`. */
            choices: string[] | null;
            /** @description The kind of its value. */
            kind: components["schemas"]["ParameterKind"];
            /** @description The field's name. */
            name: string;
            /** @description Whether the request must contain it. */
            required: boolean;
        };
        /** @description An action that this caller can perform on the task now. */
        ActionView: {
            /** @description The command of `forge` that does the same, with words in capitals to replace; `null` if there is none. */
            command: string | null;
            /** @description Label for people. */
            label: string;
            /** @description The HTTP method. */
            method: string;
            /** @description Name for programs, for example `claim`. */
            name: string;
            /** @description The fields of the request body. */
            parameters: components["schemas"]["ActionParameter"][];
            /** @description The path, starting at the server's root. */
            path: string;
            /** @description The state that a move leads to; `null` for other actions. */
            target: string | null;
        };
        /**
         * @description The current activity of the engine for a task.
         * @enum {string}
         */
        ActivityView: "stopping" | "preparing" | "running" | "checking" | "judging" | "landing" | "cleaning" | "rebasing" | "reverting";
        /**
         * @description The actor behind an event or a change. It appears only in answers: the server identifies a caller by the token,
         *     never by the content of a request.
         */
        ActorView: {
            /**
             * Format: uuid
             * @description Identifier of the user.
             */
            id: string;
            /** @enum {string} */
            kind: "user";
            /** @description The user's name; `null` if the server did not look it up. */
            name: string | null;
        } | {
            /**
             * Format: uuid
             * @description The execution it acted in.
             */
            execution_id: string;
            /**
             * Format: uuid
             * @description Identifier of the agent.
             */
            id: string;
            /** @enum {string} */
            kind: "agent";
            /** @description The agent's name; `null` if the server did not look it up. */
            name: string | null;
        } | {
            /** @description The component of Forge that acted. */
            component: string;
            /** @enum {string} */
            kind: "system";
        };
        /** @description A named worker that runs an agent program. */
        Agent: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Whether Forge removes it when its work is finished. */
            ephemeral: boolean;
            /** @description The program it runs. */
            executor: components["schemas"]["AgentExecutor"];
            /**
             * Format: uuid
             * @description The agent that takes over when this one's quota is used up or it is not signed in (SPEC E-9).
             */
            fallback: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: int32
             * @description How many executions it may run at once.
             */
            max_concurrent: number;
            /** @description Unique name of the agent. */
            name: string;
            /** @description Whether it is paused: a paused agent gets no new work. */
            paused: boolean;
            /**
             * Format: uuid
             * @description The project that owns it; `null` for an agent of the server, which works for every project (SPEC S-6).
             */
            project_id: string | null;
            /**
             * Format: date-time
             * @description When it was removed; `null` while it exists.
             */
            removed_at: string | null;
            /** @description The roles it can hold; empty for any. */
            roles: string[];
            /**
             * Format: int64
             * @description Version number; every write increases it.
             */
            version: number;
            waiting: components["schemas"]["AgentWait"] | null;
        };
        /** @description Names of an agent's environment variables, grouped by source. Values are never sent. */
        AgentEnvironment: {
            /**
             * @description The variable with an API key, which makes the program charge by use instead of the subscription; `null` if
             *     none is set.
             */
            api_key: string | null;
            /** @description From the server's environment; every program gets them. */
            inherited: string[];
            /** @description Named in `pass_environment`, but not set in the server's environment. */
            missing: string[];
            /** @description From the server's environment, named in `pass_environment`. */
            passed: string[];
            /** @description From the agent's own `environment` setting. */
            set: string[];
        };
        /** @description The program of an agent and how Forge calls it. */
        AgentExecutor: {
            /** @description Additional arguments for the program. */
            arguments?: string[];
            /**
             * @description The program and its first arguments. `shell` and `acp` need it; for other kinds it replaces the default
             *     program. No shell interprets it.
             */
            command?: string[];
            /**
             * @description Absolute path on the server where the program keeps its settings and login; the program's default if left out.
             *     With it, two agents of one program can use two accounts.
             */
            config_directory?: string | null;
            /** @description Additional environment variables. Answers show only the names; a value is never sent back. */
            environment?: {
                [key: string]: string;
            };
            /** @description The kind of agent program. */
            kind: components["schemas"]["ExecutorKind"];
            /** @description Name of the model, for kinds with a flag for it. */
            model?: string | null;
            /**
             * @description Names of server variables that the program gets in addition to the inherited ones. The server's own variables
             *     (`FORGE_…`, `GIT_…`, `PGPASS…`, `GITHUB_TOKEN`) cannot be passed.
             */
            pass_environment?: string[];
            policy?: components["schemas"]["ExecutorPolicy"] | null;
            prompt?: components["schemas"]["PromptChannel"] | null;
            /**
             * Format: int64
             * @description Seconds without output or file changes after which Forge reports the execution as stalled (SPEC T-23); the
             *     server's setting if left out.
             */
            stalled_after_seconds?: number | null;
            /**
             * Format: int64
             * @description Seconds without output or file changes after which Forge stops the execution; the server's setting if left
             *     out.
             */
            stopped_after_seconds?: number | null;
            /**
             * Format: int64
             * @description Time limit of an execution; `null` for no limit.
             */
            timeout_seconds?: number | null;
        };
        /** @description One entry of the overview. */
        AgentFinding: {
            /**
             * Format: int64
             * @description Age in seconds.
             */
            age_seconds: number;
            /**
             * Format: uuid
             * @description The agent of that execution.
             */
            agent_id: string | null;
            /** @description The observation behind the classification. */
            evidence: string;
            /**
             * Format: uuid
             * @description The current execution, otherwise the last one.
             */
            execution_id: string | null;
            /** @description The task's key, for example `T-12`. */
            key: string;
            /** @description Suggested next actions, best first. */
            next?: components["schemas"]["NextStep"][];
            /**
             * Format: uuid
             * @description The task's project.
             */
            project_id: string;
            /** @description The role of that execution. */
            role: string | null;
            /**
             * Format: date-time
             * @description Since when this holds.
             */
            since: string;
            /** @description Workflow state of the task. */
            status: string;
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description Title of the task. */
            title: string;
            /** @description Path of its worktree. */
            worktree: string | null;
        };
        /**
         * @description Login state of an agent's program.
         * @enum {string}
         */
        AgentLogin: "signed_in" | "api_key" | "signed_out" | "unknown";
        /** @description Request to change an agent; fields that are left out stay as they are. */
        AgentPatch: {
            /**
             * @description New executor, replaced as a whole. Its kind cannot change, and running executions keep the old executor. A
             *     variable with the value `[redacted]`, as answers show it, keeps its value.
             */
            executor?: components["schemas"]["AgentExecutor"];
            /**
             * Format: uuid
             * @description The agent that takes over when this one's quota is used up (SPEC E-9); `null` for none.
             */
            fallback?: string | null;
            /**
             * Format: int32
             * @description New limit of concurrent executions.
             */
            max_concurrent?: number;
            /** @description New name of the agent. */
            name?: string;
            /** @description New list of roles. */
            roles?: string[];
            /**
             * Format: int64
             * @description The version that the caller read.
             */
            version: number;
        };
        /** @description Result of checking an agent's program on the server. */
        AgentProbe: {
            /** @description The agent; it no longer waits for a login if its program is signed in. */
            agent: components["schemas"]["Agent"];
            login: components["schemas"]["AgentLogin"] | null;
            /** @description Path of the program; `null` if it is not installed. */
            path: string | null;
            /** @description Why the version is unknown. */
            problem: string | null;
            /** @description The program that Forge looked for. */
            program: string;
            /** @description The version that Forge was last tested with. */
            tested_version: string | null;
            /** @description The version that the program reports. */
            version: string | null;
        };
        /** @description An agent program that Forge knows, and whether this server has it. */
        AgentProgram: {
            /** @description The kind of agent that runs it. */
            kind: components["schemas"]["ExecutorKind"];
            login: components["schemas"]["AgentLogin"] | null;
            /** @description Path of the program; `null` if it is not installed. */
            path: string | null;
            /** @description The permission policies that the program can enforce. */
            policies: components["schemas"]["ExecutorPolicy"][];
            /** @description Why the version is unknown. */
            problem: string | null;
            /** @description The program that Forge looked for. */
            program: string;
            /** @description The version that Forge was last tested with. */
            tested_version: string | null;
            /** @description The version that the program reports. */
            version: string | null;
        };
        /** @description Why an agent waits (SPEC E-9). */
        AgentWait: {
            /** @description Message of the agent's program. */
            message: string;
            /** @description The reason of the wait. */
            reason: components["schemas"]["AgentWaitReason"];
            /**
             * Format: date-time
             * @description When Forge tries the agent again by itself; `null` for a login, which needs a person.
             */
            until: string | null;
        };
        /**
         * @description The reasons for which an agent waits.
         * @enum {string}
         */
        AgentWaitReason: "quota" | "login";
        /** @description Overview of all executions and workspaces. */
        AgentsCheck: {
            /** @description Workspaces of unfinished tasks in which no agent or user works. */
            abandoned: components["schemas"]["AgentFinding"][];
            /** @description Tasks whose last execution, or the preparation of one, failed. */
            failed: components["schemas"]["AgentFinding"][];
            /** @description Agents that are working. */
            running: components["schemas"]["AgentFinding"][];
            /** @description Agents that show no activity, and tasks whose agent was stopped for that reason. */
            stuck: components["schemas"]["AgentFinding"][];
            /** @description Tasks with a workspace that wait for a person: for a decision, a verdict or a clean checkout. */
            waiting?: components["schemas"]["AgentFinding"][];
        };
        /** @description A token, without its secret. */
        ApiToken: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            last_used_at: string | null;
            /** @description Purpose of the token, in the user's words. */
            name: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revoked_at: string | null;
            /** @description What the token allows. */
            scope: components["schemas"]["TokenScope"];
            /**
             * Format: uuid
             * @description The user who owns it.
             */
            user_id: string;
        };
        /** @description Request to approve an attempt. */
        ApproveReview: {
            /** @description Why; required if the gate decided otherwise. */
            reason?: string | null;
        };
        /** @description Request to assign a role of a task to an agent or a user: exactly one of the two is given. */
        AssignRole: {
            /**
             * Format: uuid
             * @description The agent that gets the role.
             */
            agent_id?: string | null;
            /** @description Remove the whole workspace after saving it to the journal; the next claim starts with a new one. */
            reset_workspace?: boolean;
            /** @description Discard uncommitted changes in the worktree after saving them to the journal; commits stay. */
            reset_worktree?: boolean;
            /**
             * Format: uuid
             * @description The user who gets the role.
             */
            user_id?: string | null;
        };
        /**
         * @description How the caller authenticated.
         * @enum {string}
         */
        AuthMethod: "session" | "token" | "execution";
        /** @description One template for every kind of task, or one template per kind. */
        BranchTemplate: string | components["schemas"]["BranchTemplates"];
        /** @description One template per kind of task that has a branch; `null` for the kind's default. */
        BranchTemplates: {
            /** @description Template for pipeline runs; default `run/{id}`. */
            run?: string | null;
            /** @description Template for sessions; default `session/{agent}-{timestamp}`. */
            session?: string | null;
            /** @description Template for tasks of a board; default `forge/{number}-{slug}`. */
            task?: string | null;
        };
        /** @description Limits for agents; a field that is left out has no limit. */
        BudgetLimits: {
            /**
             * Format: int64
             * @description Cost in millionths of a US dollar.
             */
            cost_micro_usd?: number | null;
            /**
             * Format: int64
             * @description Input and output tokens together.
             */
            tokens?: number | null;
        };
        /** @description The identity of the caller. */
        CallerInfo: {
            /** @description The actor that the server records for the caller's actions. */
            actor: components["schemas"]["ActorView"];
            user: components["schemas"]["User"] | null;
            /** @description How the caller authenticated. */
            via: components["schemas"]["AuthMethod"];
        };
        /** @description Request to cancel a task. */
        CancelRequest: {
            /** @description Why it is cancelled; the history records it. */
            reason?: string | null;
        };
        /** @description Request to change the caller's own password. */
        ChangePassword: {
            /**
             * Format: password
             * @description The new password.
             */
            new_password: string;
            /**
             * Format: password
             * @description The current password; left out if the user has none.
             */
            old_password?: string | null;
        };
        /** @description Statistics of one check of a project's repository. */
        CheckRecord: {
            /** @description The command of the check. */
            command: string;
            /**
             * Format: int64
             * @description Number of runs that did not pass.
             */
            failures: number;
            /**
             * Format: int64
             * @description How often it passed on a tree on which it had failed before.
             */
            flips: number;
            /**
             * Format: date-time
             * @description When it last gave two results on one tree.
             */
            last_flip_at: string | null;
            /**
             * Format: date-time
             * @description Until when its failures are ignored; `null` if they count.
             */
            quarantined_until: string | null;
            /**
             * Format: int64
             * @description Number of runs on trials.
             */
            runs: number;
        };
        /**
         * @description Settings of the agent that apply differently to one claim: to its first execution and to all that continue it, until
         *     the role gets another holder. A field that is left out stays as the agent has it.
         */
        ClaimOverrides: {
            /**
             * Format: int64
             * @description Time limit of each execution; the outcome of one that reaches it is `deadline_reached`.
             */
            deadline_seconds?: number | null;
            /** @description Name of the model. */
            model?: string | null;
            permission_policy?: components["schemas"]["ExecutorPolicy"] | null;
            reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
        };
        /** @description Request to claim a task. */
        ClaimRequest: {
            /**
             * Format: uuid
             * @description The agent that will work. If left out, the caller claims the task personally and no process starts.
             */
            agent_id?: string | null;
            overrides?: components["schemas"]["ClaimOverrides"] | null;
        };
        /** @description Answer to a successful claim. */
        ClaimResponse: {
            /** @description The execution that the claim created. */
            execution: components["schemas"]["Execution"];
            /** @description The task after the claim. */
            task: components["schemas"]["Task"];
        };
        /** @description Request to clean up workspaces. */
        CleanWorkspaces: {
            /** @description Only report what would happen. */
            dry_run?: boolean;
        };
        /**
         * @description What happens to a workspace.
         * @enum {string}
         */
        CleanupDecision: "would_be_removed" | "removed" | "failed" | "blocked" | "orphan";
        /** @description What Forge removed when it cleaned up a task's workspace (SPEC M-10). */
        CleanupReport: {
            /**
             * Format: date-time
             * @description Time of the cleanup.
             */
            at: string;
            /** @description Whether the branch was removed; its commits stay in the archive. */
            branch: boolean;
            /** @description Whether git's record of the worktree was removed. */
            record: boolean;
            /** @description Steps of the cleanup that failed without failing the cleanup. */
            warnings: string[];
            /** @description Whether the worktree was removed. */
            worktree: boolean;
        };
        /** @description When Forge removes the workspace of a task that reached a terminal state. */
        CleanupView: {
            /** @enum {string} */
            mode: "immediate";
        } | {
            /**
             * Format: int64
             * @description The delay in seconds; `null` for the server's `FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS`.
             */
            after_seconds: number | null;
            /** @enum {string} */
            mode: "delayed";
        };
        /** @description A comment on a task. */
        Comment: {
            /**
             * Format: date-time
             * @description Time of writing.
             */
            at: string;
            /** @description The author of the comment. */
            author: components["schemas"]["ActorView"];
            /** @description The text, in Markdown. */
            body: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The comment that this one answers.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description The task it belongs to.
             */
            task_id: string;
        };
        /** @description Request to hand in the work on a task. It moves along the `done` edge of its state. */
        CompleteTask: {
            /** @description What was done; the history records it. */
            reason?: string | null;
            /**
             * Format: int64
             * @description The version of the task that the caller read; if left out, the task moves whatever its version is.
             */
            version?: number | null;
        };
        /** @description The live branches of a project and the conflicts between them. */
        ConflictList: {
            /** @description The branches of all tasks that have not ended, ordered by task number. */
            branches: components["schemas"]["LiveBranch"][];
            /** @description The pairs that conflict in files that both changed since they left their target, oldest conflict first. */
            conflicts: components["schemas"]["ConflictView"][];
        };
        /** @description Two branches that conflict. */
        ConflictView: {
            /** @description The two branches, the lower task number first. */
            branches: components["schemas"]["LiveBranch"][];
            /** @description The files in conflict. */
            files: string[];
            /**
             * Format: date-time
             * @description When the conflict was first found.
             */
            since: string;
        };
        /** @description A new token with its secret, which is shown only here. */
        CreatedToken: {
            /**
             * Format: password
             * @description The value to send as bearer token; the server stores only its hash.
             */
            secret: string;
            /** @description The new token. */
            token: components["schemas"]["ApiToken"];
        };
        /** @description A new webhook with its secret, which is shown only here. */
        CreatedWebhook: {
            /**
             * Format: password
             * @description The secret with which the receiver verifies signatures; the server stores it encrypted.
             */
            secret: string;
            /** @description The new webhook. */
            webhook: components["schemas"]["Webhook"];
        };
        /** @description Current state of a demonstration. */
        DemoReport: {
            /** @description Whether nothing in it continues without a person. */
            finished: boolean;
            /** @description The landed commits, as printed by `git log --oneline --graph`. */
            log: string[];
            /**
             * Format: uuid
             * @description The demonstration's project.
             */
            project_id: string;
            /** @description Path of the temporary repository on the server's disk. */
            repo_path: string;
            /** @description Its tasks, in order of creation. */
            tasks: components["schemas"]["DemoTask"][];
        };
        /** @description Answer to starting a demonstration. */
        DemoStarted: {
            /**
             * Format: uuid
             * @description The demonstration's project.
             */
            project_id: string;
            /** @description Path of the temporary repository on the server's disk. */
            repo_path: string;
        };
        /** @description State of one task of a demonstration. */
        DemoTask: {
            /**
             * Format: int32
             * @description How often it entered a gate.
             */
            attempts: number;
            /** @description The landed commit; `null` until it lands. */
            commit: string | null;
            /** @description The task's key, for example `T-12`. */
            key: string;
            /** @description The board phase of that state. */
            phase: components["schemas"]["TaskPhase"];
            /** @description What happened to it: why it waits for a person, or that its checks rejected attempts; `null` if nothing did. */
            remark: string | null;
            /** @description The workflow state it is in. */
            status: string;
            /** @description Title of the task. */
            title: string;
        };
        /**
         * @description The kind of change to a file.
         * @enum {string}
         */
        DiffChange: "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed";
        /**
         * @description The current changes of a task: the data of each `diff` event of the stream. The server sends it again whenever the
         *     list or a patch changes.
         */
        DiffEvent: {
            /** @description The commit that the changes start from. */
            base: string;
            /** @description The changed files, ordered by path. */
            files: components["schemas"]["DiffStat"][];
            /** @description The commit that the changes end at; `null` for the working tree. */
            head: string | null;
            /**
             * @description Whether the stream reports later changes. If `false`, the system cannot watch so many directories: request the
             *     diff again to see changes.
             */
            live: boolean;
            /** @description The range of changes. */
            scope: components["schemas"]["DiffScope"];
            /** @description Where the changes are. */
            source: components["schemas"]["DiffSource"];
            /** @description Whether more files changed than are listed. */
            truncated: boolean;
        };
        /** @description One changed file with its patch. */
        DiffFile: {
            /**
             * Format: int64
             * @description Lines added; `null` for binary files.
             */
            additions: number | null;
            /** @description Whether the content is binary; binary content is not shown. */
            binary: boolean;
            /** @description The kind of change. */
            change: components["schemas"]["DiffChange"];
            /**
             * Format: int64
             * @description Lines removed; `null` for binary files.
             */
            deletions: number | null;
            /** @description Previous path, if the file was moved or copied. */
            old_path: string | null;
            /** @description The patch of this file; `null` if left out. */
            patch: string | null;
            /** @description Path of the file; bytes that are not UTF-8 are replaced. */
            path: string;
            /** @description Whether the patch is left out because it is too large. */
            truncated: boolean;
        };
        /**
         * @description The format of a diff.
         * @enum {string}
         */
        DiffFormat: "json" | "patch";
        /**
         * @description The range of changes that a diff covers.
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
             * @description Lines added; `null` for binary files.
             */
            additions: number | null;
            /** @description Whether the content is binary. */
            binary: boolean;
            /** @description The kind of change. */
            change: components["schemas"]["DiffChange"];
            /**
             * Format: int64
             * @description Lines removed; `null` for binary files.
             */
            deletions: number | null;
            /** @description Previous path, if the file was moved or copied. */
            old_path: string | null;
            /** @description Path of the file; bytes that are not UTF-8 are replaced. */
            path: string;
        };
        /** @description The changes of a task. */
        DiffView: {
            /** @description The commit that the changes start from. */
            base: string;
            /**
             * @description Files that other tasks landed in the meantime and that landing this task would delete. Forge refuses the
             *     landing unless a commit of the branch has the trailer `Forge-Reverts: PATH` for each of them.
             */
            deletes_landed: string[];
            /** @description The changed files, ordered by path. */
            files: components["schemas"]["DiffFile"][];
            /** @description The commit that the changes end at; `null` for the working tree. */
            head: string | null;
            /** @description The range of changes. */
            scope: components["schemas"]["DiffScope"];
            /** @description Where the changes are. */
            source: components["schemas"]["DiffSource"];
            /** @description Whether more files changed than are listed. */
            truncated: boolean;
        };
        /** @description Number of files that differ from the last commit. */
        DirtyCounts: {
            /**
             * Format: int64
             * @description Changes outside the index.
             */
            modified: number;
            /**
             * Format: int64
             * @description Changes in the index.
             */
            staged: number;
            /**
             * Format: int64
             * @description Files that are neither tracked nor ignored.
             */
            untracked: number;
        };
        /** @description Settings of a project's automatic dispatch. */
        DispatchSettings: {
            /** @description Whether Forge assigns claimable tasks to free agents by itself. */
            enabled?: boolean;
            /**
             * @description Whether a task waits while its branch conflicts with the branch of a task that is being worked on or about to
             *     land.
             */
            hold_conflicts?: boolean;
            /**
             * Format: int32
             * @description Maximum number of concurrent agent executions in the project, checked at each assignment; `null` for no limit.
             */
            max_concurrent?: number | null;
        };
        /** @description State of automatic dispatch on this server. */
        DispatchStatus: {
            /** @description Resources that the machine lacks for another execution. */
            lacks: components["schemas"]["WaitReason"][];
            /**
             * Format: int32
             * @description Maximum number of agent executions; `null` for no limit.
             */
            max_concurrent: number | null;
            /**
             * Format: date-time
             * @description When dispatch was paused; `null` while it is running.
             */
            paused_at: string | null;
            /**
             * Format: int32
             * @description Number of agent executions on this server.
             */
            running: number;
        };
        /**
         * @description State of an effect.
         * @enum {string}
         */
        EffectState: "pending" | "running" | "done" | "failed" | "cancelled";
        /** @description One effect: durable work that follows a change of a task. */
        EffectView: {
            /**
             * Format: int32
             * @description Number of attempts so far.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the effect was recorded.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the effect ended.
             */
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            /** @description What the engine has to do. */
            kind: string;
            /** @description Why the last attempt failed. */
            last_error: string | null;
            lease: components["schemas"]["LeaseView"] | null;
            /**
             * Format: date-time
             * @description Earliest time of the next attempt.
             */
            not_before: string | null;
            /** @description State of the effect. */
            state: components["schemas"]["EffectState"];
            /**
             * Format: uuid
             * @description The task it belongs to.
             */
            task_id: string;
        };
        /** @description Why a task needs a person. */
        ErrorAnnotation: {
            /**
             * Format: date-time
             * @description Since when it holds.
             */
            at: string;
            /** @description Data of the kind; `null` if none. */
            details: unknown;
            /** @description What happened and what to do. */
            message: string;
            /** @description Kind of the problem, for programs; for example `stopped` or `workspace_reset_required`. */
            type: string;
        };
        /** @description The body of every error answer. */
        ErrorBody: {
            /** @description Error code, for programs. */
            code: components["schemas"]["ErrorCode"];
            /** @description Data of the code, for example the expected and the actual version; `null` if none. */
            details: unknown;
            /** @description What went wrong and what to do next, for people. */
            message: string;
            /** @description Identifies this request in the server's log. */
            request_id: string;
        };
        /**
         * @description Every code that an error can have. The list is closed: add a new code here first.
         * @enum {string}
         */
        ErrorCode: "unauthorized" | "forbidden" | "host_refused" | "origin_refused" | "throttled" | "link_used" | "not_found" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "body_too_deep" | "body_not_utf8" | "body_not_json" | "invalid_field" | "unknown_field" | "invalid_query" | "invalid_name" | "invalid_path" | "duplicate" | "version_conflict" | "invalid_transition" | "not_claimable" | "already_claimed" | "agent_paused" | "project_paused" | "dependency_gate" | "program_missing" | "override_unsupported" | "agent_at_capacity" | "budget_exhausted" | "execution_over" | "question_closed" | "question_open" | "not_restartable" | "up_to_date" | "not_rebasable" | "not_landed" | "not_landed_outside" | "nothing_to_revert" | "no_way_to_land" | "nothing_to_hand_off" | "review_over" | "review_not_passed" | "execution_running" | "not_in_work" | "not_deletable" | "task_terminal" | "task_archived" | "dependency_cycle" | "dependency_scope" | "PARENT_WORKSPACE_REQUIRED" | "SUBTASK_SEQUENCE_NOT_COMPLETE" | "invalid_workflow" | "workflow_in_use" | "unknown_role" | "repo_unusable" | "default_branch_unclear" | "path_not_allowed" | "address_not_allowed" | "pull_request_unavailable" | "repo_in_use" | "agent_in_use" | "project_in_use" | "no_repository" | "workspace_missing" | "workspace_corrupted" | "workspace_locked" | "reset_failed" | "not_a_git_workspace" | "target_checkout_dirty" | "target_locked" | "stale_lease" | "no_backup" | "storage_full" | "request_timeout" | "timeout" | "shutting_down" | "not_ready" | "internal";
        /**
         * @description Type of an event: `noun.verb`. The names are fixed so that scripts can rely on them (SPEC §7.1).
         * @enum {string}
         */
        EventType: "task.created" | "task.transitioned" | "task.adopted" | "task.updated" | "task.annotated" | "task.archived" | "task.deleted" | "task.unarchived" | "task.assigned" | "task.unassigned" | "task.handed_off" | "task.submitted" | "task.unpassed" | "task.needs_person" | "task.landed" | "task.failed" | "task.stopping" | "task.stopped" | "dependency.added" | "dependency.removed" | "turn.added" | "turns.begun" | "turns.ending" | "turns.ended" | "execution.created" | "execution.started" | "execution.finished" | "execution.postponed" | "execution.steered" | "execution.stalled" | "task.planned" | "question.asked" | "question.answered" | "question.received" | "questions.awaited" | "questions.closed" | "review.started" | "review.checked" | "review.finished" | "review.judged" | "review.approved" | "merge.started" | "merge.finished" | "merge.sent_back" | "merge.tried_again" | "merge.exhausted" | "pull_request.changed" | "workspace.created" | "workspace.cleaning" | "workspace.removing" | "workspace.cleaned" | "workspace.error" | "workspace.recovered" | "workspace.rebasing" | "workspace.rebased" | "workspace.inverted" | "task.reverted" | "task.verified" | "task.regressed" | "workspace.reset" | "workspace.restored" | "journal.recorded" | "effect.failed" | "agent.created" | "agent.updated" | "agent.removed" | "agent.paused" | "agent.resumed" | "project.created" | "project.updated" | "project.removed" | "project.paused" | "project.resumed" | "project.member_added" | "project.member_removed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.ping" | "webhook.removed" | "repo.added" | "repo.updated" | "repo.config_accepted" | "repo.removed" | "dispatch.paused" | "dispatch.resumed" | "conflict.detected" | "conflict.cleared" | "train.changed" | "message.sent" | "comment.created";
        /** @description A recorded event. */
        EventView: {
            /** @description The actor that caused it. */
            actor: components["schemas"]["ActorView"];
            /**
             * Format: date-time
             * @description Time of the event.
             */
            at: string;
            /** @description Data of the event type; `null` if none. */
            data: unknown;
            /** @description Position in the stream; send it as `Last-Event-ID` to continue after it. */
            id: string;
            /**
             * Format: uuid
             * @description The project; `null` for events outside projects, such as those of an agent.
             */
            project_id: string | null;
            /**
             * Format: int64
             * @description Sequence number within the project; increases by one, without gaps.
             */
            seq: number;
            /**
             * Format: uuid
             * @description The task that the event concerns.
             */
            task_id: string | null;
            /** @description Type of the event. */
            type: components["schemas"]["EventType"];
        };
        /** @description One execution of an agent or a user on a task. */
        Execution: {
            /**
             * Format: uuid
             * @description The agent, if an agent works.
             */
            agent_id: string | null;
            /** @description The commit of the branch at the end of the execution. */
            commit: string | null;
            /**
             * Format: int32
             * @description The exit code of the agent program.
             */
            exit_code: number | null;
            failure: components["schemas"]["ExecutionFailure"] | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Size of the stored output in bytes.
             */
            log_bytes: number;
            /** @description Whether it ended without any change; `null` until known. */
            no_changes: boolean | null;
            outcome: components["schemas"]["ExecutionOutcome"] | null;
            overrides: components["schemas"]["ClaimOverrides"] | null;
            /** @description The role in which it works. */
            role: string;
            /** @description The conversation that a follow-up continues; `null` if the program named none. */
            session_id: string | null;
            /**
             * Format: int32
             * @description The signal that ended the agent program.
             */
            signal: number | null;
            /**
             * Format: date-time
             * @description When the agent or user started working.
             */
            started_at: string | null;
            /** @description Progress of the execution. */
            status: components["schemas"]["ExecutionStatus"];
            /**
             * Format: uuid
             * @description The task it works on.
             */
            task_id: string;
            usage: components["schemas"]["UsageAmount"] | null;
            /**
             * Format: uuid
             * @description The user, if a user works.
             */
            user_id: string | null;
        };
        /** @description Why an execution failed. */
        ExecutionFailure: {
            /** @description Class of the failure. */
            class: components["schemas"]["FailureClass"];
            /** @description Message of the program. */
            message: string;
            /**
             * Format: date-time
             * @description When the quota is available again, if the program said so.
             */
            until: string | null;
        };
        /**
         * @description How an execution ended.
         * @enum {string}
         */
        ExecutionOutcome: "succeeded" | "failed" | "timed_out" | "deadline_reached" | "stopped" | "cancelled" | "lost";
        /** @description Activity of an execution. Secrets are redacted. */
        ExecutionPulse: {
            /** @description The tool in use, if the program reports it. */
            current_tool: string | null;
            /** @description The observed execution. */
            execution: components["schemas"]["Execution"];
            /** @description Files with uncommitted changes. */
            files: string[];
            /**
             * Format: date-time
             * @description Time of the last activity: output, or a changed file.
             */
            last_activity_at: string | null;
            /** @description The last output of the agent. */
            last_output: string;
            /**
             * Format: date-time
             * @description Time of the last output.
             */
            last_output_at: string | null;
            /** @description Whether there are more such files. */
            more_files: boolean;
            /**
             * Format: int64
             * @description Seconds since the last activity.
             */
            silent_seconds: number | null;
            /**
             * Format: date-time
             * @description Since when it counts as stalled.
             */
            stalled_since: string | null;
            tokens: components["schemas"]["TokenCount"] | null;
        };
        /**
         * @description Progress of an execution.
         * @enum {string}
         */
        ExecutionStatus: "pending" | "preparing" | "running" | "stopping" | "finished";
        /**
         * @description The agent program that an executor runs (SPEC E-1).
         * @enum {string}
         */
        ExecutorKind: "shell" | "claude" | "codex" | "gemini" | "opencode" | "cursor" | "copilot" | "goose" | "qwen" | "amp" | "droid" | "acp";
        /**
         * @description Permissions of an agent without asking a person.
         * @enum {string}
         */
        ExecutorPolicy: "plan" | "edit" | "full";
        /** @description Request to mark an execution as failed. */
        FailExecution: {
            /** @description Why it failed; the task records it. */
            reason?: string | null;
        };
        /** @description A check that failed on the remote. */
        FailedCheck: {
            /** @description Name of the check. */
            name: string;
            /** @description Address of its log, if the remote gave one. */
            url: string | null;
        };
        /**
         * @description The classes of failure that Forge distinguishes.
         * @enum {string}
         */
        FailureClass: "quota" | "auth" | "crash" | "error";
        /** @description Request to create a task that starts with the files of an entry. */
        ForkEntry: {
            /** @description Title of the new task; derived from the old title if left out. */
            title?: string | null;
        };
        /** @description A note that one holder of a task leaves for the next. */
        HandoffView: {
            /**
             * Format: date-time
             * @description Time of the handoff.
             */
            at: string;
            /** @description The branch with the work. */
            branch: string | null;
            /** @description The author of the note. */
            by: components["schemas"]["ActorView"];
            from: components["schemas"]["RoleAssignee"] | null;
            /**
             * Format: uuid
             * @description The last execution before the handoff.
             */
            last_execution: string | null;
            /** @description What is done and what blocks the work. */
            message: string;
            /** @description The worktree with the work. */
            worktree: string | null;
        };
        /**
         * @description What to compare a journal entry with.
         * @enum {string}
         */
        JournalAgainst: "previous" | "base" | "files";
        /** @description The difference between a journal entry and another state. */
        JournalDiff: {
            /** @description What it is compared with. */
            against: components["schemas"]["JournalAgainst"];
            /** @description The commit or tree that the changes start from. */
            base: string;
            /** @description The changed files, ordered by path. */
            files: components["schemas"]["DiffFile"][];
            /** @description The commit or tree that the changes end at. */
            head: string;
            /**
             * Format: int64
             * @description Number of the entry.
             */
            number: number;
            /** @description Whether more files changed than are listed. */
            truncated: boolean;
        };
        /** @description One saved state: all files that are not ignored, including uncommitted and untracked files. */
        JournalEntry: {
            /**
             * Format: date-time
             * @description Time of the entry.
             */
            at: string;
            /** @description The branch that was checked out; `null` for none. */
            branch: string | null;
            /** @description The commit with the files, under `refs/forge/journal/<task>/<number>`. */
            commit: string;
            /** @description Whether the files differ from that commit. */
            differs: boolean;
            /**
             * Format: uuid
             * @description The execution that was working in the workspace.
             */
            execution_id: string | null;
            /** @description Whether there were files to save; otherwise the entry holds only the commit. */
            has_files: boolean;
            /** @description The commit that was checked out; `null` before the first commit. */
            head: string | null;
            /**
             * Format: int64
             * @description Number of the entry, from 1 within the task.
             */
            number: number;
            /** @description Why Forge saved it. */
            reason: components["schemas"]["JournalReason"];
            /** @description Files that could not be read and are not in the entry. */
            skipped: string[];
        };
        /**
         * @description Why Forge saved a state.
         * @enum {string}
         */
        JournalReason: "turn_end" | "stop" | "before_reset" | "before_removal" | "before_rebase" | "periodic" | "before_restore" | "corrupted";
        /** @description A repository of a removed project, with what Forge leaves in it. */
        KeptRepository: {
            /**
             * Format: int64
             * @description Number of archived branches of the project's tasks, under `refs/forge/archive/`.
             */
            archived: number;
            /** @description The branches of the project's tasks. */
            branches: string[];
            /**
             * Format: int64
             * @description Number of saved states of the project's tasks, under `refs/forge/journal/`.
             */
            journal_entries: number;
            /** @description The repository's name. */
            name: string;
            /** @description Its path on the server, or the address of its remote. */
            place: string;
        };
        /**
         * @description Outcome of a successful landing.
         * @enum {string}
         */
        LandingOutcome: "merged" | "nothing_to_merge";
        /** @description How a task's work reached its target. */
        LandingReport: {
            /**
             * Format: date-time
             * @description Time of the landing.
             */
            at: string;
            /** @description The landed commit; `null` if there was nothing to merge. */
            commit: string | null;
            /** @description How the landing ended. */
            outcome: components["schemas"]["LandingOutcome"];
            /** @description The target branch. */
            target: string;
            verified: components["schemas"]["LandingVerified"] | null;
        };
        /**
         * @description Result of verifying a landed commit on the remote.
         * @enum {string}
         */
        LandingVerified: "passed" | "failed" | "unknown";
        /** @description The lease of a node on an effect. */
        LeaseView: {
            /** @description The Forge process that holds the lease. */
            node: string;
            /**
             * Format: date-time
             * @description When the lease expires unless renewed.
             */
            until: string;
        };
        /** @description A branch as of the last check. */
        LiveBranch: {
            /** @description Name of the branch. */
            branch: string;
            /** @description Commit of the branch. */
            head: string;
            /** @description The task's key, for example `T-12`. */
            key: string;
            /**
             * Format: uuid
             * @description The repository of the branch.
             */
            repo_id: string;
            /** @description The task's status. */
            status: string;
            /** @description The branch it lands on; `null` if that branch does not exist. */
            target: string | null;
            target_conflict: components["schemas"]["TargetConflict"] | null;
            /**
             * Format: uuid
             * @description The task that owns the branch.
             */
            task_id: string;
            /** @description The task's title. */
            title: string;
            /** @description Whether uncommitted work from the journal is included on top of that commit. */
            uncommitted: boolean;
        };
        /** @description Request to sign in with the credential in the server's data directory. */
        LocalSignInRequest: {
            /**
             * Format: password
             * @description The content of the file `local-credential`.
             */
            credential: string;
            /** @description Name of the new token. */
            token_name: string;
            /** @description Name of the first admin, if the server has no user yet; `admin` if left out. */
            user_name?: string | null;
        };
        /** @description Answer to a local sign-in. */
        LocalSignInResponse: {
            /** @description Whether the sign-in created the user. */
            is_new_user: boolean;
            /** @description A new token of the user; only this answer contains its secret. */
            token: components["schemas"]["CreatedToken"];
            /** @description The user that the credential belongs to: the first admin. */
            user: components["schemas"]["User"];
        };
        /** @description One event of a log. Its fields depend on its kind; fields that do not apply are left out. */
        LogEvent: {
            /** @description Whether the numbers add to the previous ones; otherwise they replace them. */
            adds?: boolean | null;
            /**
             * Format: int64
             * @description Input tokens that came from a cache.
             */
            cached_tokens?: number | null;
            /**
             * Format: double
             * @description Cost in US dollars.
             */
            cost_usd?: number | null;
            /** @description Whether the tool failed. */
            failed?: boolean | null;
            /** @description Identifier of the tool call or of the conversation. */
            id?: string | null;
            /** @description Input of the tool. */
            input?: Record<string, never> | null;
            /**
             * Format: int64
             * @description Number of input tokens.
             */
            input_tokens?: number | null;
            /** @description Kind of the event. */
            kind: components["schemas"]["LogEventKind"];
            /** @description Name of the tool. */
            name?: string | null;
            /**
             * Format: int64
             * @description Number of bytes of the line that are left out.
             */
            omitted?: number | null;
            /** @description Output of the tool. */
            output?: string | null;
            /**
             * Format: int64
             * @description Number of output tokens.
             */
            output_tokens?: number | null;
            /** @description Whether the text continues the previous event. */
            partial?: boolean | null;
            /** @description The unchanged message of the program. */
            raw?: Record<string, never> | null;
            /**
             * Format: int64
             * @description Sequence number from 1, without gaps.
             */
            seq: number;
            /** @description The report, in the program's words. */
            status?: string | null;
            /** @description The message or the printed text. */
            text?: string | null;
        };
        /**
         * @description Kind of a log event.
         * @enum {string}
         */
        LogEventKind: "assistant" | "thinking" | "tool_call" | "tool_result" | "stdout" | "stderr" | "usage" | "session" | "status";
        /** @description Some events of a log, in order. */
        LogEventPage: {
            /** @description Whether this is the end: nothing follows now or later. */
            end: boolean;
            /** @description The events of this page. */
            events: components["schemas"]["LogEvent"][];
            /**
             * Format: int64
             * @description The value of `after` for the next request.
             */
            next: number;
        };
        /** @description A part of a log. */
        LogPage: {
            /** @description Whether this is the end: nothing follows now or later. */
            end: boolean;
            /**
             * Format: int64
             * @description Offset of the first byte.
             */
            from: number;
            /**
             * Format: int64
             * @description Offset after the last byte: `from` of the next request.
             */
            next: number;
            /** @description The text; bytes that are not UTF-8 are replaced. */
            text: string;
        };
        /** @description Request to sign in with a password; the session is a cookie. */
        LoginRequest: {
            /** @description The user's name. */
            name: string;
            /**
             * Format: password
             * @description The user's password.
             */
            password: string;
        };
        /** @description Where and how a task's branch lands. */
        MergeConfig: {
            /** @description How the branch lands. */
            strategy?: components["schemas"]["MergeStrategy"];
            /** @description The branch it lands on; `null` for the repository's default branch. */
            target_branch?: string | null;
        };
        /**
         * @description How branches of a project land.
         * @enum {string}
         */
        MergeMode: "direct" | "pull_request";
        /** @description How branches of a project land. */
        MergeSettings: {
            /** @description How branches land. */
            mode?: components["schemas"]["MergeMode"];
            /** @description Whether landing is paused. */
            paused?: boolean;
            /** @description Whether waiting branches are tested together, each on top of the previous ones; otherwise one at a time. */
            train?: boolean;
            /** @description How Forge verifies landed commits after the push. */
            verify?: components["schemas"]["MergeVerify"];
            /**
             * Format: int32
             * @description Maximum number of branches tested ahead; `null` for 16.
             */
            window?: number | null;
        };
        /**
         * @description How a branch lands.
         * @enum {string}
         */
        MergeStrategy: "squash" | "merge" | "rebase";
        /** @description One entry of a merge train: a task that waits to land. */
        MergeTrainEntry: {
            /** @description The commit under test; `null` if there is none. */
            commit: string | null;
            /** @description The task's key; `null` for a task of another project. */
            key: string | null;
            /** @description State of the entry's trial. */
            state: components["schemas"]["MergeTrainEntryState"];
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description The task's title; `null` for a task of another project. */
            title: string | null;
        };
        /**
         * @description State of the trial of an entry together with all entries ahead of it.
         * @enum {string}
         */
        MergeTrainEntryState: "waiting" | "running" | "passed" | "failed" | "clashes" | "empty" | "unknown";
        /** @description The merge train of one target branch. */
        MergeTrainStatus: {
            /** @description The entries, in landing order. */
            entries: components["schemas"]["MergeTrainEntry"][];
            /** @description The server that runs it; `null` if it is the answering one. */
            node: string | null;
            /** @description The target branch. */
            target: string;
            /**
             * Format: int64
             * @description How many entries are tested at once now; `null` if only the server that runs the train knows.
             */
            window: number | null;
        };
        /**
         * @description How Forge verifies landed commits.
         * @enum {string}
         */
        MergeVerify: "off" | "remote_checks";
        /** @description A task that waits for a person. */
        NeedsPerson: {
            /**
             * Format: int64
             * @description Age of the wait in seconds.
             */
            age_seconds: number;
            /** @description The files involved: files in conflict, or files that block the landing. */
            files: string[];
            /** @description The task's key, for example `T-12`. */
            key: string;
            /** @description The reason in words. */
            message: string;
            /** @description Suggested next actions for the caller, best first. */
            next: components["schemas"]["NextStep"][];
            /**
             * Format: uuid
             * @description The task's project.
             */
            project_id: string;
            /** @description The project's name. */
            project_name: string;
            /** @description The project's slug, as commands take it. */
            project_slug: string;
            /**
             * @description Why it waits: the type of its error_annotation, or one of `question`, `review_passed`, `verdict`,
             *     `pull_request`, `claim`, `decision`.
             */
            reason: string;
            /**
             * Format: date-time
             * @description Since when it waits for this reason.
             */
            since: string;
            /** @description Workflow state of the task. */
            status: string;
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description Title of the task. */
            title: string;
        };
        /** @description Request to create an agent. */
        NewAgent: {
            /** @description Whether Forge removes it when its work is finished. */
            ephemeral?: boolean;
            /** @description The program it runs. */
            executor: components["schemas"]["AgentExecutor"];
            /**
             * Format: uuid
             * @description The agent that takes over when this one's quota is used up or it is not signed in (SPEC E-9).
             */
            fallback?: string | null;
            /**
             * Format: int32
             * @description How many executions it may run at once; 1 if left out.
             */
            max_concurrent?: number | null;
            /** @description Unique name of the agent. */
            name: string;
            /**
             * Format: uuid
             * @description The project that owns it (SPEC S-6): members of the project manage it, and it works for no other project. If
             *     left out, the server owns it, which needs an admin.
             */
            project_id?: string | null;
            /** @description The roles it can hold; any if left out. */
            roles?: string[];
        };
        /** @description Request to answer a question. */
        NewAnswer: {
            /** @description Text of the answer. */
            text: string;
        };
        /** @description Request to write a comment. */
        NewComment: {
            /** @description The text, in Markdown. */
            body: string;
            /**
             * Format: uuid
             * @description The comment that this one answers.
             */
            parent_id?: string | null;
        };
        /** @description A token or password for the remote of a repository. The server stores it encrypted and never returns it. */
        NewCredential: {
            /**
             * Format: password
             * @description The token or password.
             */
            token: string;
            /** @description The user name for the token, if the host requires a specific one. */
            user_name?: string | null;
        };
        /** @description Request to make a task wait for another. */
        NewDependency: {
            /**
             * Format: uuid
             * @description The task to wait for.
             */
            depends_on_id: string;
        };
        /** @description Request to continue the conversation of an execution that has ended (SPEC E-7). */
        NewFollowUp: {
            /** @description Message for the agent. */
            message: string;
        };
        /** @description Request to hand off a task. */
        NewHandoff: {
            /** @description What is done and what blocks the work; every later prompt contains it. */
            message: string;
        };
        /** @description Request to add a user to a project. */
        NewMember: {
            /**
             * Format: uuid
             * @description Identifier of the user.
             */
            user_id: string;
        };
        /** @description Request to create a project. */
        NewProject: {
            /** @description Display name of the project. */
            name: string;
            /** @description The branch of that repository that work lands on; detected if left out. */
            repo_default_branch?: string | null;
            /**
             * @description Absolute path of its first repository on the server's disk. If the repository cannot be used, the project is
             *     not created either.
             */
            repo_path?: string | null;
            settings?: components["schemas"]["ProjectSettings"] | null;
            workflow?: components["schemas"]["WorkflowChoice"] | null;
            workspace_type?: components["schemas"]["WorkspaceType"] | null;
        };
        /** @description Request to ask a question. */
        NewQuestion: {
            /**
             * @description Whether the caller waits for the answer and fetches it. The answer is then not sent to the running agent, and
             *     reaches it as a message only if the caller does not confirm it.
             */
            awaited?: boolean;
            /** @description Text of the question. */
            text: string;
        };
        /** @description Report that a landed task broke something. */
        NewRegression: {
            /** @description What broke. Forge copies it into the description of the task that fixes it. */
            reason: string;
        };
        /** @description Request to add a repository to a project: exactly one of `path` and `url` is given. */
        NewRepo: {
            /**
             * @description The branch that work lands on, for a repository on the server's disk. If left out, Forge takes the only
             *     branch, or the branch of `origin/HEAD`, of `init.defaultBranch`, `main` or `master`; if none of these exists,
             *     the answer is `default_branch_unclear`.
             */
            default_branch?: string | null;
            /** @description Name; derived from the path or URL if left out. */
            name?: string | null;
            /** @description Absolute path of a repository on the server's disk. */
            path?: string | null;
            /**
             * Format: password
             * @description Token for the URL. The server stores it encrypted and never returns it.
             */
            token?: string | null;
            /** @description Address of a remote that Forge clones. */
            url?: string | null;
        };
        /** @description Request to send a message to a running agent. */
        NewSteer: {
            /** @description Text of the message. */
            message: string;
        };
        /** @description Request to create a task. */
        NewTask: {
            budget?: components["schemas"]["BudgetLimits"] | null;
            /** @description The tasks that must finish first. */
            dependencies?: string[];
            /** @description The full prompt for the agent. */
            description?: string | null;
            kind?: components["schemas"]["TaskKind"] | null;
            /** @description Labels of the task. */
            labels?: string[];
            merge_config?: components["schemas"]["MergeConfig"] | null;
            /** @description Data of your own tools. */
            metadata?: Record<string, never>;
            /**
             * Format: uuid
             * @description The task it is a part of.
             */
            parent?: string | null;
            /**
             * Format: int32
             * @description Priority; higher numbers go first; 0 if left out.
             */
            priority?: number | null;
            /**
             * @description Whether it starts in the claimable queue, where dispatch finds it, instead of the initial state; if left out, it
             *     does in a project with dispatch on. An ordered turn starts in the initial state.
             */
            queue?: boolean | null;
            /**
             * Format: uuid
             * @description The repository; the project's primary one if left out.
             */
            repo_id?: string | null;
            review_config?: components["schemas"]["ReviewConfig"] | null;
            /** @description Holders of its roles, by role. */
            roles?: {
                [key: string]: components["schemas"]["RoleAssignee"];
            };
            subtask_mode?: components["schemas"]["SubtaskMode"] | null;
            /**
             * Format: int64
             * @description Position of an ordered turn among the turns of its parent; last if left out.
             */
            subtask_order?: number | null;
            subtask_target?: components["schemas"]["SubtaskTarget"] | null;
            /** @description Short title of the task. */
            title: string;
        };
        /** @description Request to create a token for the caller. */
        NewToken: {
            /**
             * Format: int64
             * @description Lifetime in seconds; unlimited if left out.
             */
            expires_in_seconds?: number | null;
            /** @description Purpose of the token. */
            name: string;
            scope?: components["schemas"]["TokenScope"] | null;
        };
        /** @description Request to create a user. */
        NewUser: {
            /** @description The name that the user signs in with. */
            name: string;
            /**
             * Format: password
             * @description The password; without one the user can only use tokens.
             */
            password?: string | null;
            role?: components["schemas"]["UserRole"] | null;
        };
        /** @description Request of a reviewer to give a verdict. */
        NewVerdict: {
            /** @description What to change, or what prevented the review; required unless the verdict is `pass`. */
            feedback?: string | null;
            /** @description The reviewer's answer. */
            verdict: components["schemas"]["ReviewVerdict"];
        };
        /** @description Request to add a webhook. */
        NewWebhook: {
            /** @description Types of the events to deliver; all if left out. */
            event_types?: components["schemas"]["EventType"][] | null;
            /** @description Name; that of the host if left out. */
            name?: string | null;
            /**
             * Format: password
             * @description Secret for the signatures: `whsec_` and 24 to 64 bytes in base64. Generated if left out.
             */
            secret?: string | null;
            /** @description An `https` URL; `http` only for hosts that the setting `private_hosts` names. */
            url: string;
        };
        /** @description A suggested action for a task. */
        NextStep: {
            /** @description The command that does it; replace the words in capitals. */
            command: string;
            /** @description Label for people. */
            label: string;
        };
        /**
         * @description Why Forge created a task for another task.
         * @enum {string}
         */
        OriginKind: "revert" | "fix";
        /** @description An orphaned directory as found at the start. Forge does not touch it. */
        OrphanNote: {
            /** @description Path of the directory. */
            path: string;
            /** @description Why it is an orphan. */
            reason: string;
        };
        /** @description A directory under the workspace root that belongs to no live task. Forge does not touch it. */
        OrphanView: {
            /** @description Name of the repository with a git worktree record for it; `null` if there is none. */
            git_record_in: string | null;
            /**
             * Format: date-time
             * @description Time of the last change in it; `null` if it cannot be read.
             */
            last_change_at: string | null;
            /** @description Path of the directory. */
            path: string;
            /** @description Why it is an orphan. */
            reason: string;
            /** @description Approximate size of the directory. */
            size: components["schemas"]["SizeClass"];
        };
        /**
         * @description Meaning of a terminal state.
         * @enum {string}
         */
        OutcomeView: "success" | "failure" | "cancelled";
        /** @description One page of a list. */
        Page_ActionView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The command of `forge` that does the same, with words in capitals to replace; `null` if there is none. */
                command: string | null;
                /** @description Label for people. */
                label: string;
                /** @description The HTTP method. */
                method: string;
                /** @description Name for programs, for example `claim`. */
                name: string;
                /** @description The fields of the request body. */
                parameters: components["schemas"]["ActionParameter"][];
                /** @description The path, starting at the server's root. */
                path: string;
                /** @description The state that a move leads to; `null` for other actions. */
                target: string | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
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
                /** @description Whether Forge removes it when its work is finished. */
                ephemeral: boolean;
                /** @description The program it runs. */
                executor: components["schemas"]["AgentExecutor"];
                /**
                 * Format: uuid
                 * @description The agent that takes over when this one's quota is used up or it is not signed in (SPEC E-9).
                 */
                fallback: string | null;
                /** Format: uuid */
                id: string;
                /**
                 * Format: int32
                 * @description How many executions it may run at once.
                 */
                max_concurrent: number;
                /** @description Unique name of the agent. */
                name: string;
                /** @description Whether it is paused: a paused agent gets no new work. */
                paused: boolean;
                /**
                 * Format: uuid
                 * @description The project that owns it; `null` for an agent of the server, which works for every project (SPEC S-6).
                 */
                project_id: string | null;
                /**
                 * Format: date-time
                 * @description When it was removed; `null` while it exists.
                 */
                removed_at: string | null;
                /** @description The roles it can hold; empty for any. */
                roles: string[];
                /**
                 * Format: int64
                 * @description Version number; every write increases it.
                 */
                version: number;
                waiting: components["schemas"]["AgentWait"] | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_AgentProgram: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The kind of agent that runs it. */
                kind: components["schemas"]["ExecutorKind"];
                login: components["schemas"]["AgentLogin"] | null;
                /** @description Path of the program; `null` if it is not installed. */
                path: string | null;
                /** @description The permission policies that the program can enforce. */
                policies: components["schemas"]["ExecutorPolicy"][];
                /** @description Why the version is unknown. */
                problem: string | null;
                /** @description The program that Forge looked for. */
                program: string;
                /** @description The version that Forge was last tested with. */
                tested_version: string | null;
                /** @description The version that the program reports. */
                version: string | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_ApiToken: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expires_at: string | null;
                /** Format: uuid */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was last used.
                 */
                last_used_at: string | null;
                /** @description Purpose of the token, in the user's words. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it was revoked.
                 */
                revoked_at: string | null;
                /** @description What the token allows. */
                scope: components["schemas"]["TokenScope"];
                /**
                 * Format: uuid
                 * @description The user who owns it.
                 */
                user_id: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Comment: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description Time of writing.
                 */
                at: string;
                /** @description The author of the comment. */
                author: components["schemas"]["ActorView"];
                /** @description The text, in Markdown. */
                body: string;
                /** Format: uuid */
                id: string;
                /**
                 * Format: uuid
                 * @description The comment that this one answers.
                 */
                parent_id: string | null;
                /**
                 * Format: uuid
                 * @description The task it belongs to.
                 */
                task_id: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_EffectView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int32
                 * @description Number of attempts so far.
                 */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When the effect was recorded.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the effect ended.
                 */
                finished_at: string | null;
                /** Format: uuid */
                id: string;
                /** @description What the engine has to do. */
                kind: string;
                /** @description Why the last attempt failed. */
                last_error: string | null;
                lease: components["schemas"]["LeaseView"] | null;
                /**
                 * Format: date-time
                 * @description Earliest time of the next attempt.
                 */
                not_before: string | null;
                /** @description State of the effect. */
                state: components["schemas"]["EffectState"];
                /**
                 * Format: uuid
                 * @description The task it belongs to.
                 */
                task_id: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Execution: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: uuid
                 * @description The agent, if an agent works.
                 */
                agent_id: string | null;
                /** @description The commit of the branch at the end of the execution. */
                commit: string | null;
                /**
                 * Format: int32
                 * @description The exit code of the agent program.
                 */
                exit_code: number | null;
                failure: components["schemas"]["ExecutionFailure"] | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at: string | null;
                /** Format: uuid */
                id: string;
                /**
                 * Format: int64
                 * @description Size of the stored output in bytes.
                 */
                log_bytes: number;
                /** @description Whether it ended without any change; `null` until known. */
                no_changes: boolean | null;
                outcome: components["schemas"]["ExecutionOutcome"] | null;
                overrides: components["schemas"]["ClaimOverrides"] | null;
                /** @description The role in which it works. */
                role: string;
                /** @description The conversation that a follow-up continues; `null` if the program named none. */
                session_id: string | null;
                /**
                 * Format: int32
                 * @description The signal that ended the agent program.
                 */
                signal: number | null;
                /**
                 * Format: date-time
                 * @description When the agent or user started working.
                 */
                started_at: string | null;
                /** @description Progress of the execution. */
                status: components["schemas"]["ExecutionStatus"];
                /**
                 * Format: uuid
                 * @description The task it works on.
                 */
                task_id: string;
                usage: components["schemas"]["UsageAmount"] | null;
                /**
                 * Format: uuid
                 * @description The user, if a user works.
                 */
                user_id: string | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_JournalEntry: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description Time of the entry.
                 */
                at: string;
                /** @description The branch that was checked out; `null` for none. */
                branch: string | null;
                /** @description The commit with the files, under `refs/forge/journal/<task>/<number>`. */
                commit: string;
                /** @description Whether the files differ from that commit. */
                differs: boolean;
                /**
                 * Format: uuid
                 * @description The execution that was working in the workspace.
                 */
                execution_id: string | null;
                /** @description Whether there were files to save; otherwise the entry holds only the commit. */
                has_files: boolean;
                /** @description The commit that was checked out; `null` before the first commit. */
                head: string | null;
                /**
                 * Format: int64
                 * @description Number of the entry, from 1 within the task.
                 */
                number: number;
                /** @description Why Forge saved it. */
                reason: components["schemas"]["JournalReason"];
                /** @description Files that could not be read and are not in the entry. */
                skipped: string[];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_NeedsPerson: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int64
                 * @description Age of the wait in seconds.
                 */
                age_seconds: number;
                /** @description The files involved: files in conflict, or files that block the landing. */
                files: string[];
                /** @description The task's key, for example `T-12`. */
                key: string;
                /** @description The reason in words. */
                message: string;
                /** @description Suggested next actions for the caller, best first. */
                next: components["schemas"]["NextStep"][];
                /**
                 * Format: uuid
                 * @description The task's project.
                 */
                project_id: string;
                /** @description The project's name. */
                project_name: string;
                /** @description The project's slug, as commands take it. */
                project_slug: string;
                /**
                 * @description Why it waits: the type of its error_annotation, or one of `question`, `review_passed`, `verdict`,
                 *     `pull_request`, `claim`, `decision`.
                 */
                reason: string;
                /**
                 * Format: date-time
                 * @description Since when it waits for this reason.
                 */
                since: string;
                /** @description Workflow state of the task. */
                status: string;
                /**
                 * Format: uuid
                 * @description Identifier of the task.
                 */
                task_id: string;
                /** @description Title of the task. */
                title: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_OrphanView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description Name of the repository with a git worktree record for it; `null` if there is none. */
                git_record_in: string | null;
                /**
                 * Format: date-time
                 * @description Time of the last change in it; `null` if it cannot be read.
                 */
                last_change_at: string | null;
                /** @description Path of the directory. */
                path: string;
                /** @description Why it is an orphan. */
                reason: string;
                /** @description Approximate size of the directory. */
                size: components["schemas"]["SizeClass"];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
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
                /** Format: uuid */
                id: string;
                /** @description Display name of the project. */
                name: string;
                /**
                 * Format: date-time
                 * @description When the project was paused; `null` while agents may claim.
                 */
                paused_at: string | null;
                /** @description The project's settings. */
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
                 * @description Version number; every write increases it.
                 */
                version: number;
                /** @description The project's workflow. */
                workflow: components["schemas"]["WorkflowRef"];
                /** @description Where its tasks run. */
                workspace_type: components["schemas"]["WorkspaceType"];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_ProjectMember: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When the user became a member.
                 */
                created_at: string;
                /** @description The name that the user signs in with. */
                name: string;
                /**
                 * Format: uuid
                 * @description Identifier of the user.
                 */
                user_id: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Question: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The answer; `null` if there is none. */
                answer: string | null;
                answered_by: components["schemas"]["ActorView"] | null;
                /**
                 * Format: date-time
                 * @description Time of asking.
                 */
                asked_at: string;
                /** @description The execution or user that asked. */
                asked_by: components["schemas"]["ActorView"];
                /**
                 * Format: date-time
                 * @description When it was answered, or closed without an answer.
                 */
                ended_at: string | null;
                /**
                 * Format: uuid
                 * @description The execution that asked, or, for a question of a user, the last one before it; `null` if there was none.
                 */
                execution_id: string | null;
                /**
                 * Format: int32
                 * @description Number within the task, from 1.
                 */
                number: number;
                /** @description Progress of the question. */
                status: components["schemas"]["QuestionStatus"];
                /**
                 * Format: uuid
                 * @description The task it belongs to.
                 */
                task_id: string;
                /** @description Text of the question. */
                text: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
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
                /** Format: uuid */
                id: string;
                /** @description Name, unique in the project. */
                name: string;
                /** @description Path on the server's disk. */
                path: string | null;
                /** @description Whether tasks without a repository use this one. */
                primary: boolean;
                /**
                 * Format: uuid
                 * @description The project that owns it.
                 */
                project_id: string;
                /** @description Address that it was cloned from, without credentials. */
                url: string | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Review: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int32
                 * @description Number of the attempt, from 1.
                 */
                attempt_number: number;
                /** @description The commit under review. */
                commit: string | null;
                /** @description Whether a rejection counts against the gate's attempts. Rejections by people do not. */
                counted: boolean;
                decided: components["schemas"]["ReviewDecision"] | null;
                /** @description Feedback for the coder. */
                feedback: string | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at: string | null;
                /** Format: uuid */
                id: string;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                started_at: string;
                /** @description State of the attempt. */
                status: components["schemas"]["ReviewStatus"];
                /** @description Results of the checks so far, in order. */
                step_results: components["schemas"]["StepResult"][];
                taken_from: components["schemas"]["ReviewOrigin"] | null;
                /**
                 * Format: uuid
                 * @description The task under review.
                 */
                task_id: string;
                verdict: components["schemas"]["ReviewVerdict"] | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Task: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description When it was archived, which hides it from lists.
                 */
                archived_at: string | null;
                budget: components["schemas"]["BudgetLimits"] | null;
                busy: components["schemas"]["ActivityView"] | null;
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
                /** @description Handoff notes, oldest first. */
                handoffs: components["schemas"]["HandoffView"][];
                /** Format: uuid */
                id: string;
                /** @description The number as people write it, for example `T-12`. */
                key: string;
                /** @description Kind of the task. */
                kind: components["schemas"]["TaskKind"];
                /** @description Labels of the task. */
                labels: string[];
                landing: components["schemas"]["LandingReport"] | null;
                /** @description How and where it lands. */
                merge_config: components["schemas"]["MergeConfig"];
                /** @description Messages that its agent is not known to have read yet, oldest first (SPEC T-22). */
                messages: components["schemas"]["QueuedMessage"][];
                /**
                 * @description Data of your own tools. `handoff` in it says where the work of the last handoff is, as do `handoffBranch`,
                 *     `handoffWorktree`, `lastSessionId` and `handoffAt` in its `orchestrator`.
                 */
                metadata: Record<string, never>;
                /**
                 * Format: int64
                 * @description Number within the project, from 1.
                 */
                number: number;
                origin: components["schemas"]["TaskOrigin"] | null;
                /** @description By role, what the claim of its holder changes about the agent's settings. */
                overrides: {
                    [key: string]: components["schemas"]["ClaimOverrides"];
                };
                /**
                 * Format: uuid
                 * @description The task it is a part of.
                 */
                parent: string | null;
                /** @description Board phase of that state. */
                phase: components["schemas"]["TaskPhase"];
                /** @description The last answer of its last planner, which is part of the later prompts; `null` without a plan. */
                plan: string | null;
                /**
                 * Format: int32
                 * @description Priority; higher numbers go first.
                 */
                priority: number;
                /**
                 * Format: uuid
                 * @description The project it belongs to.
                 */
                project_id: string;
                pull_request: components["schemas"]["PullRequest"] | null;
                /** @description Questions that wait for an answer, oldest first (SPEC T-27). */
                questions: components["schemas"]["Question"][];
                regression: components["schemas"]["RegressionReport"] | null;
                /**
                 * Format: uuid
                 * @description The repository it works on; `null` in a project without one.
                 */
                repo_id: string | null;
                /**
                 * Format: uuid
                 * @description The task that reverts what it landed.
                 */
                reverted_by: string | null;
                /** @description How a gate reviews it. */
                review_config: components["schemas"]["ReviewConfig"];
                /**
                 * Format: date-time
                 * @description When the current content passed its gate.
                 */
                review_passed_at: string | null;
                /** @description Holders of its roles, by role. */
                roles: {
                    [key: string]: components["schemas"]["RoleAssignee"];
                };
                /** @description Current workflow state. */
                status: string;
                subtask: components["schemas"]["SubtaskInfo"] | null;
                /** @description Short title of the task. */
                title: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Version number; every write increases it. Send it back when changing the task.
                 */
                version: number;
                /** @description Hash of the exact workflow definition it follows. */
                workflow_hash: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_TaskDependency: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: uuid
                 * @description The task it waits for.
                 */
                depends_on_id: string;
                /** @description Board phase of that state. */
                phase: components["schemas"]["TaskPhase"];
                /** @description Whether the dependency no longer blocks the task. */
                satisfied: boolean;
                /** @description Workflow state of the task it waits for. */
                status: string;
                /**
                 * Format: uuid
                 * @description The task that waits.
                 */
                task_id: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Transition: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: date-time
                 * @description Time of the change.
                 */
                at: string;
                /** @description The state before. */
                from_state: string;
                /** Format: uuid */
                id: string;
                /** @description Whether a gate rejected the task. */
                rejection: boolean;
                /** @description The state after. */
                to_state: string;
                /** @description Why; for a rejection, the feedback. */
                trigger_reason: string | null;
                /** @description The actor that moved the task. */
                triggered_by: components["schemas"]["ActorView"];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
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
                /** Format: uuid */
                id: string;
                /** @description The name that the user signs in with. */
                name: string;
                /**
                 * Format: date-time
                 * @description When the account was removed; `null` while it exists.
                 */
                removed_at: string | null;
                /** @description Permissions of the user. */
                role: components["schemas"]["UserRole"];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_Webhook: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Time of the last delivered event.
                 */
                delivered_at: string | null;
                /** @description Why the server disabled it; `null` if a user did, or if it is enabled. */
                disabled_reason: string | null;
                /** @description Types of the events to deliver; `null` for all. */
                event_types: components["schemas"]["EventType"][] | null;
                /**
                 * Format: date-time
                 * @description Time of the first of them.
                 */
                failing_since: string | null;
                /**
                 * Format: int32
                 * @description Failed attempts at the next event.
                 */
                failures: number;
                /** Format: uuid */
                id: string;
                /** @description Error of the last of them. */
                last_error: string | null;
                /** @description Unique in the project. */
                name: string;
                /**
                 * Format: date-time
                 * @description Time of the next attempt, while it is failing.
                 */
                next_attempt_at: string | null;
                /**
                 * Format: uuid
                 * @description The user on whose behalf events are sent; it is disabled when that user may no longer read them.
                 */
                owner_id: string | null;
                /** Format: uuid */
                project_id: string;
                status: components["schemas"]["WebhookStatus"];
                /** Format: date-time */
                updated_at: string;
                /** @description Where events are posted. */
                url: string;
                /**
                 * Format: int64
                 * @description Increases with every change.
                 */
                version: number;
                /**
                 * Format: int64
                 * @description Number of events of the project after the last one that was delivered or is not wanted.
                 */
                waiting_events: number;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_WebhookDelivery: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The last characters of the body of the answer. */
                answer: string;
                /**
                 * Format: date-time
                 * @description Time of the last attempt.
                 */
                at: string;
                /**
                 * Format: int32
                 * @description Number of attempts.
                 */
                attempts: number;
                /** @description Whether the receiver accepted it. */
                delivered: boolean;
                /**
                 * Format: int64
                 * @description How long the last attempt took.
                 */
                duration_ms: number;
                /** @description Why the last attempt failed. */
                error: string | null;
                /** @description Type of the event. */
                event_type: string;
                /**
                 * Format: int32
                 * @description Status of the answer; `null` without an answer.
                 */
                http_status: number | null;
                kind: components["schemas"]["WebhookDeliveryKind"];
                /**
                 * Format: int64
                 * @description Number among the deliveries of the webhook.
                 */
                number: number;
                /**
                 * Format: int64
                 * @description Sequence number of the event; `null` for a test.
                 */
                seq: number | null;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_WorkflowView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The state for cancelled tasks. */
                cancel: string;
                /** @description The state for tasks that need a person. */
                fault: string;
                /** @description Hash of the exact definition. */
                hash: string;
                /** @description Where new tasks start. */
                initial: string;
                /** @description The workflow's name. */
                name: string;
                /** @description All states, in the order of the definition. */
                states: components["schemas"]["StateView"][];
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_WorkspaceCleanup: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The task's key, for example `T-12`. */
                key: string | null;
                /** @description Path of the workspace; empty if there is none. */
                path: string;
                /** @description Where uncommitted work is saved; `null` if a dry run found none. */
                saved_under: string | null;
                /**
                 * Format: uuid
                 * @description The task of the workspace; `null` for an orphan.
                 */
                task_id: string | null;
                /** @description The decision about the workspace. */
                verdict: components["schemas"]["CleanupDecision"];
                /** @description Why, or what prevents the removal. */
                why: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description One page of a list. */
        Page_WorkspaceView: {
            /** @description The items of this page, in the list's order. */
            items: {
                /**
                 * Format: int64
                 * @description Number of commits that the target branch does not have.
                 */
                ahead: number | null;
                /** @description The commit that the branch started from. */
                base: string | null;
                /**
                 * Format: int64
                 * @description Number of commits of the target branch that it does not have.
                 */
                behind: number | null;
                /** @description The branch; `null` without git or on a detached commit. */
                branch: string | null;
                dirty: components["schemas"]["DirtyCounts"] | null;
                /** @description The current commit. */
                head: string | null;
                /** @description The task's key, such as `T-12`. */
                key: string;
                /** @description The last error of an operation on it. */
                last_error: string | null;
                lock: components["schemas"]["WorkspaceLock"] | null;
                /** @description Path of the directory on the server's disk. */
                path: string;
                /**
                 * Format: uuid
                 * @description The task's project.
                 */
                project_id: string;
                /** @description State of the workspace. */
                status: components["schemas"]["WorkspaceStatus"];
                /**
                 * Format: uuid
                 * @description Identifier of the task.
                 */
                task_id: string;
                /** @description The task's title. */
                title: string;
            }[];
            /** @description Send it as `cursor` to get the next page; `null` on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The kind of value that a parameter takes, so that a client can offer the right input.
         * @enum {string}
         */
        ParameterKind: "text" | "long_text" | "integer" | "boolean" | "choice" | "agent" | "user" | "task";
        /** @description Numbers of tasks in each phase of the board. */
        PhaseCounts: {
            /**
             * Format: int64
             * @description Tasks that are not queued yet.
             */
            backlog: number;
            /**
             * Format: int64
             * @description Tasks that have ended.
             */
            done: number;
            /**
             * Format: int64
             * @description Tasks that wait for a claim.
             */
            ready: number;
            /**
             * Format: int64
             * @description Tasks that are reviewed or landed.
             */
            review: number;
            /**
             * Format: int64
             * @description Tasks that an agent or user works on.
             */
            working: number;
        };
        /** @description A project with its board and settings. */
        Project: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description Display name of the project. */
            name: string;
            /**
             * Format: date-time
             * @description When the project was paused; `null` while agents may claim.
             */
            paused_at: string | null;
            /** @description The project's settings. */
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
             * @description Version number; every write increases it.
             */
            version: number;
            /** @description The project's workflow. */
            workflow: components["schemas"]["WorkflowRef"];
            /** @description Where its tasks run. */
            workspace_type: components["schemas"]["WorkspaceType"];
        };
        /** @description A user who is a member of a project. */
        ProjectMember: {
            /**
             * Format: date-time
             * @description When the user became a member.
             */
            created_at: string;
            /** @description The name that the user signs in with. */
            name: string;
            /**
             * Format: uuid
             * @description Identifier of the user.
             */
            user_id: string;
        };
        /** @description Request to change a project; fields that are left out stay as they are. The workflow has its own request. */
        ProjectPatch: {
            /** @description New name of the project. */
            name?: string;
            /** @description New settings; they replace the old settings as a whole. */
            settings?: components["schemas"]["ProjectSettings"];
            /**
             * Format: int64
             * @description The version that the caller read.
             */
            version: number;
        };
        /**
         * @description Settings of a project, in requests and answers. The names are a closed list, so that the server refuses a misspelt
         *     one; put data of your own tools into `metadata`.
         */
        ProjectSettings: {
            branch_template?: components["schemas"]["BranchTemplate"] | null;
            budget?: components["schemas"]["BudgetLimits"] | null;
            /** @description Review configuration of tasks that have none of their own. */
            default_review_config?: components["schemas"]["ReviewConfig"];
            default_reviewer?: components["schemas"]["RoleAssignee"] | null;
            /**
             * @description Absolute path of the directory of a project with the workspace type `persistent_directory` (SPEC W-1); `null`
             *     for a directory in the data directory.
             */
            directory?: string | null;
            /**
             * @description Template for the name of a task's directory below the workspace root (SPEC W-3), with the same placeholders;
             *     `null` for `{project}-{number}-{slug}-{hash}`. Forge appends the hash if the template has neither `{hash}` nor
             *     `{id}`.
             */
            directory_template?: string | null;
            /** @description Automatic assignment of tasks to agents (SPEC E-10). */
            dispatch?: components["schemas"]["DispatchSettings"];
            /**
             * Format: int64
             * @description The installation of the server's GitHub App that gives access to this project's repositories on GitHub (SPEC
             *     M-15); `null` for none.
             */
            github_installation_id?: number | null;
            /**
             * @description Whether a worktree that returns to the pool keeps its ignored files for the next task of this project (SPEC
             *     W-15). This includes files with secrets.
             */
            keep_ignored_files?: boolean;
            /**
             * @description Whether members of the project may define commands: agents of the project, checks, setup
             *     (docs/PERMISSIONS.md). Only an admin can change it.
             */
            members_may_define_commands?: boolean;
            /** @description How branches of the project land (SPEC M-11). */
            merge?: components["schemas"]["MergeSettings"];
            /** @description Data of your own tools; Forge does not read it. */
            metadata?: Record<string, never>;
            /**
             * @description Prompt templates by role (SPEC E-2); a role without one uses the built-in template. A template is text with
             *     `{{key}}`, `{{title}}`, `{{role}}`, `{{branch}}`, and sections, each on its own line: `{{description}}`
             *     `{{subtasks}}` `{{dependency_results}}` `{{handoff_notes}}` `{{messages}}` `{{failing_step}}` `{{feedback}}`
             *     `{{review_prompt}}` `{{change}}` `{{verdict}}`.
             */
            prompts?: {
                [key: string]: string;
            };
            /** @description Setup of a new workspace before work starts in it (SPEC W-13). */
            setup?: components["schemas"]["SetupSettings"];
        };
        /**
         * @description How a `shell` executor receives its prompt.
         * @enum {string}
         */
        PromptChannel: "stdin" | "argument" | "file";
        /**
         * @description The purpose of an execution.
         * @enum {string}
         */
        PromptPurpose: "work" | "judge";
        /** @description A pull request as of the last check. */
        PullRequest: {
            /** @description The commit that Forge pushed for it. */
            head: string;
            /**
             * Format: int64
             * @description Number in its repository.
             */
            number: number;
            /** @description State of the pull request. */
            state: components["schemas"]["PullRequestState"];
            /** @description Address of its page. */
            url: string;
            waits_for: components["schemas"]["PullRequestWait"] | null;
        };
        /**
         * @description State of a pull request.
         * @enum {string}
         */
        PullRequestState: "open" | "merged" | "closed";
        /**
         * @description What an open pull request waits for.
         * @enum {string}
         */
        PullRequestWait: "checks" | "rules" | "draft" | "mergeability" | "pause";
        /** @description Request to ignore the failures of a check for a limited time. */
        QuarantineRequest: {
            /** @description The command, as configured. */
            command: string;
            /**
             * Format: int64
             * @description Duration in seconds from now; 0 ends it.
             */
            seconds: number;
        };
        /** @description A question on a task. */
        Question: {
            /** @description The answer; `null` if there is none. */
            answer: string | null;
            answered_by: components["schemas"]["ActorView"] | null;
            /**
             * Format: date-time
             * @description Time of asking.
             */
            asked_at: string;
            /** @description The execution or user that asked. */
            asked_by: components["schemas"]["ActorView"];
            /**
             * Format: date-time
             * @description When it was answered, or closed without an answer.
             */
            ended_at: string | null;
            /**
             * Format: uuid
             * @description The execution that asked, or, for a question of a user, the last one before it; `null` if there was none.
             */
            execution_id: string | null;
            /**
             * Format: int32
             * @description Number within the task, from 1.
             */
            number: number;
            /** @description Progress of the question. */
            status: components["schemas"]["QuestionStatus"];
            /**
             * Format: uuid
             * @description The task it belongs to.
             */
            task_id: string;
            /** @description Text of the question. */
            text: string;
        };
        /**
         * @description Progress of a question.
         * @enum {string}
         */
        QuestionStatus: "open" | "answered" | "closed";
        /** @description A message that no agent is known to have read yet. */
        QueuedMessage: {
            /**
             * Format: date-time
             * @description Time of sending.
             */
            at: string;
            /** @description The author of the message. */
            by: components["schemas"]["ActorView"];
            /** @description How the message reaches the agent. */
            delivery: components["schemas"]["SteerDelivery"];
            /**
             * Format: uuid
             * @description The execution that it was sent to.
             */
            execution_id: string;
            /** Format: uuid */
            id: string;
            /** @description Text of the message. */
            message: string;
        };
        /**
         * @description How much a model thinks before it answers. Agent programs support different parts of this list.
         * @enum {string}
         */
        ReasoningEffort: "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
        /**
         * @description Outcome of merging the target into a branch.
         * @enum {string}
         */
        RebaseOutcome: "merged" | "conflict" | "up_to_date";
        /** @description Result of merging the target into a branch. */
        RebaseReport: {
            /** @description The new commit of the branch; `null` unless the target was merged. */
            commit: string | null;
            /** @description The files that conflict. */
            files: string[];
            /** @description How the merge ended. */
            outcome: components["schemas"]["RebaseOutcome"];
            /** @description The target branch. */
            target: string;
        };
        /** @description Request to merge the target branch into a task's branch (SPEC M-9). */
        RebaseTask: {
            /** @description Additional message for the agent or user that works on the task. */
            message?: string | null;
        };
        /** @description Answer to a rebase request. */
        RebasedTask: {
            rebase: components["schemas"]["RebaseReport"] | null;
            /** @description The task after the rebase. */
            task: components["schemas"]["Task"];
        };
        /** @description What the server recovered at its last start. */
        RecoveryReport: {
            /**
             * Format: int64
             * @description Unfinished clones of remote repositories; the server removed them.
             */
            clones_discarded: number;
            /**
             * Format: int64
             * @description Effects that were pending at that moment.
             */
            effects_open: number;
            /**
             * Format: int64
             * @description Effects that the previous run had started; the engine performs each again after checking the actual state.
             */
            effects_resumed: number;
            /**
             * Format: int64
             * @description Agents that were still running and continue under this server.
             */
            executions_adopted: number;
            /**
             * Format: int64
             * @description Agents that were still running and that the server stopped, as configured; their work is kept and they start
             *     again.
             */
            executions_ended: number;
            /**
             * Format: int64
             * @description Agents that had ended in the meantime; Forge recorded their end.
             */
            executions_finished: number;
            /**
             * Format: int64
             * @description Agents that disappeared without a record of their end; their work is kept and they start again.
             */
            executions_lost: number;
            /**
             * Format: int64
             * @description Workspaces whose lock belonged to a dead process; the server released them.
             */
            locks_released: number;
            /**
             * Format: uuid
             * @description The Forge process that started.
             */
            node: string;
            /**
             * @description Directories under the workspace root that belonged to no live task at that moment; `null` unless the caller is
             *     an admin. `GET /workspaces/orphans` shows the current state.
             */
            orphans: components["schemas"]["OrphanNote"][] | null;
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string;
        };
        /** @description Report of what a landing broke. */
        RegressionReport: {
            /**
             * Format: date-time
             * @description Time of the report.
             */
            at: string;
            /** @description The checks that failed, if checks found the regression. */
            checks: components["schemas"]["FailedCheck"][];
            /**
             * Format: uuid
             * @description The task that fixes it.
             */
            fix_id: string;
            /** @description What the landing broke. */
            reason: string;
        };
        /** @description Request to reject an attempt and send the work back. */
        RejectReview: {
            /** @description What to change; the coder's prompt contains it. */
            reason: string;
        };
        /** @description What stays of a removed project outside of Forge (SPEC P-1). */
        RemovedProject: {
            /** @description The directory of a project without git; `null` for other projects. */
            directory: string | null;
            /** @description Its repositories. None of their branches and saved states was deleted. */
            repositories: components["schemas"]["KeptRepository"][];
        };
        /** @description Request to replace a project's workflow. */
        ReplaceWorkflow: {
            /**
             * @description Old state → new state of the same kind, for the states that the new workflow does not have under the same
             *     name.
             */
            mapping?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The version of the project that the caller read.
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
            /** Format: uuid */
            id: string;
            /** @description Name, unique in the project. */
            name: string;
            /** @description Path on the server's disk. */
            path: string | null;
            /** @description Whether tasks without a repository use this one. */
            primary: boolean;
            /**
             * Format: uuid
             * @description The project that owns it.
             */
            project_id: string;
            /** @description Address that it was cloned from, without credentials. */
            url: string | null;
        };
        /**
         * @description Differences between a repository's current git settings and the server's copy. The server makes the copy when the
         *     repository is registered, and renews it when an admin accepts the differences.
         */
        RepoConfig: {
            /** @description The list of differences. */
            changes: components["schemas"]["RepoConfigChange"][];
            /** @description Whether a difference parks tasks of the repository at their gate or landing. */
            holds: boolean;
        };
        /** @description One setting, or one attributes or ignore file, that differs from the server's copy. */
        RepoConfigChange: {
            /** @description The file that contains or contained it. */
            file: string;
            /** @description Whether git could start programs or convert files because of it, so that Forge parks tasks. */
            holds: boolean;
            /** @description Name of the setting, such as `filter.x.clean`, or of the file. */
            key: string;
            /** @description The kind of change. */
            kind: components["schemas"]["RepoConfigChangeKind"];
            /** @description Why the settings cannot be read; `null` if they can. */
            reason: string | null;
        };
        /**
         * @description The kind of change to a setting.
         * @enum {string}
         */
        RepoConfigChangeKind: "added" | "changed" | "removed" | "unreadable";
        /** @description The remote of a repository. Its token is never part of an answer. */
        RepoRemote: {
            /** @description Whether the repository has its own token. */
            has_token: boolean;
            /**
             * Format: int64
             * @description The installation of the GitHub App that gives access; the project's own installation takes precedence.
             */
            installation_id: number | null;
            /** @description Whether Forge pushes landed commits to it. */
            push: boolean;
            /** @description Address of the remote; `null` if none is configured. */
            url: string | null;
        };
        /** @description Request to change the remote of a repository; fields that are left out stay as they are. */
        RepoRemotePatch: {
            /**
             * Format: int64
             * @description The installation of the GitHub App; `null` for none.
             */
            installation_id?: number | null;
            /**
             * @description Whether Forge pushes landed commits. For a repository on the server's disk, Forge takes the current address of
             *     its remote `origin`.
             */
            push?: boolean;
        };
        /** @description Answer to stopping, restarting or failing an execution. */
        RescueResponse: {
            /** @description The execution; after a restart, the new one. */
            execution: components["schemas"]["Execution"];
            /** @description The task after the request. */
            task: components["schemas"]["Task"];
        };
        /** @description Request to restart an execution. */
        RestartExecution: {
            /** @description How to restart; `fresh` if left out. */
            mode?: components["schemas"]["RestartMode"];
        };
        /**
         * @description How to restart an execution.
         * @enum {string}
         */
        RestartMode: "fresh" | "resume";
        /** @description Request to restore a journal entry. */
        RestoreEntry: {
            /**
             * @description Also move the task's branch to the entry's commit. Otherwise the branch stays and the difference is
             *     uncommitted. If the branch now starts at another commit of its target than the entry did, Forge merges the
             *     entry's change into it, so that work that landed since is not undone.
             */
            move_branch?: boolean;
        };
        /** @description Answer to restoring a journal entry. */
        RestoreResponse: {
            /**
             * @description Files that both the entry and later landed work changed. They contain both sides between git's conflict
             *     markers and cannot be committed until the markers are removed.
             */
            conflicts: string[];
            /**
             * Format: int64
             * @description Number of the restored entry.
             */
            number: number;
            saved: components["schemas"]["JournalEntry"] | null;
        };
        /** @description One attempt of a task at a gate. */
        Review: {
            /**
             * Format: int32
             * @description Number of the attempt, from 1.
             */
            attempt_number: number;
            /** @description The commit under review. */
            commit: string | null;
            /** @description Whether a rejection counts against the gate's attempts. Rejections by people do not. */
            counted: boolean;
            decided: components["schemas"]["ReviewDecision"] | null;
            /** @description Feedback for the coder. */
            feedback: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /** @description State of the attempt. */
            status: components["schemas"]["ReviewStatus"];
            /** @description Results of the checks so far, in order. */
            step_results: components["schemas"]["StepResult"][];
            taken_from: components["schemas"]["ReviewOrigin"] | null;
            /**
             * Format: uuid
             * @description The task under review.
             */
            task_id: string;
            verdict: components["schemas"]["ReviewVerdict"] | null;
        };
        /** @description How a gate reviews a task. */
        ReviewConfig: {
            /** @description Whether work without any change is reviewed like other work, instead of waiting for a person. */
            allow_no_changes?: boolean;
            /** @description Shell commands that run in order in the workspace; an empty list passes. */
            ci_steps?: string[];
            /** @description Instructions for the reviewing agent. */
            review_prompt?: string | null;
            /** @description Shell commands that prepare the workspace before the checks. */
            setup_steps?: string[];
            /**
             * Format: int64
             * @description Time limit of one command; `null` for the server's default.
             */
            timeout_seconds?: number | null;
        };
        /** @description The decision of a person or reviewer about an attempt. */
        ReviewDecision: {
            /**
             * Format: date-time
             * @description Time of the decision.
             */
            at: string;
            /** @description The agent or user that decided. */
            by: components["schemas"]["RoleAssignee"];
            /** @description Whether it overrides the gate's own decision. */
            overrides: boolean;
            /** @description Why, unless the attempt's `feedback` says it. */
            reason: string | null;
        };
        /** @description The source of reused check results. */
        ReviewOrigin: {
            /**
             * Format: date-time
             * @description When the checks passed.
             */
            at: string;
            /**
             * Format: uuid
             * @description The attempt that ran the checks; `null` if they ran on a trial of the merge train.
             */
            review_id: string | null;
        };
        /** @description Answer to an approval or a rejection. */
        ReviewResponse: {
            /** @description The attempt after the decision. */
            review: components["schemas"]["Review"];
            /** @description The task after the decision. */
            task: components["schemas"]["Task"];
        };
        /**
         * @description State of an attempt.
         * @enum {string}
         */
        ReviewStatus: "running" | "passed" | "failed" | "blocked" | "no_changes" | "superseded";
        /**
         * @description The answer of a reviewer.
         * @enum {string}
         */
        ReviewVerdict: "pass" | "fail" | "blocked";
        /** @description The holder of a role: exactly one of the two fields is given. */
        RoleAssignee: {
            /**
             * Format: uuid
             * @description Identifier of the agent.
             */
            agent_id?: string | null;
            /**
             * Format: uuid
             * @description Identifier of the user.
             */
            user_id?: string | null;
        };
        /** @description Setup of a project's workspaces and the environment of the programs that run in them. */
        SetupSettings: {
            /** @description Shell commands that run in order in a new workspace before the agent starts; the first failure stops the task. */
            commands?: string[];
            /** @description Environment variables of setup, agents and checks. `PATH`, `FORGE_…` and `GIT_…` cannot be set. */
            env?: {
                [key: string]: string;
            };
            /**
             * Format: int32
             * @description Number of ports for each task, 0 to 20, as `FORGE_PORT_0` and so on.
             */
            ports?: number;
            /**
             * Format: int64
             * @description Time limit for all commands together; `null` for 600 seconds.
             */
            timeout_seconds?: number | null;
        };
        /**
         * @description Progress of a workspace's setup.
         * @enum {string}
         */
        SetupStatus: "not_needed" | "pending" | "running" | "finished" | "failed" | "stopped";
        /** @description Answer to a successful sign-in. */
        SignInResponse: {
            /** @description The signed-in user. */
            user: components["schemas"]["User"];
        };
        /**
         * @description Approximate size of a directory.
         * @enum {string}
         */
        SizeClass: "empty" | "small" | "medium" | "large";
        /**
         * @description Direction of a list.
         * @enum {string}
         */
        SortOrder: "asc" | "desc";
        /**
         * @description What the engine does with a task in a state.
         * @enum {string}
         */
        StateKind: "queue" | "work" | "gate" | "merge" | "hold" | "terminal";
        /** @description Where a task can move from a state, by meaning. */
        StateTargets: {
            /** @description Where a claim moves it. */
            claim: string | null;
            /** @description Merge: the branch conflicts. */
            conflict: string | null;
            /** @description Work: the execution succeeded. */
            done: string | null;
            /** @description Gate: rejected `max_attempts` times. Merge: failed `max_attempts` times. */
            exhausted: string | null;
            /** @description Work: the execution failed. */
            failed: string | null;
            /** @description Where a person may move it. */
            manual: string[];
            /** @description Merge: the branch landed. */
            merged: string | null;
            /** @description Gate: the attempt passed. */
            pass: string | null;
            /** @description Gate: the attempt was rejected. */
            reject: string | null;
            /** @description Merge: the checks failed on the merged tree. */
            rejected: string | null;
        };
        /** @description One state of a workflow. */
        StateView: {
            /** @description Whether a passed task moves on without a person. */
            auto_advance: boolean;
            /** @description Whether tasks can be claimed from it. */
            claimable: boolean;
            cleanup: components["schemas"]["CleanupView"] | null;
            /** @description What the engine does in it. */
            kind: components["schemas"]["StateKind"];
            /**
             * Format: int32
             * @description Number of rejections or failed landings before `exhausted`.
             */
            max_attempts: number | null;
            /** @description Name of the state. */
            name: string;
            /** @description Whether tasks skip it if the role has no holder. */
            optional: boolean;
            outcome: components["schemas"]["OutcomeView"] | null;
            /** @description The board column it belongs to. */
            phase: components["schemas"]["TaskPhase"];
            /** @description The role that works or reviews in it. */
            role: string | null;
            /** @description Where a task can move. */
            targets: components["schemas"]["StateTargets"];
        };
        /**
         * @description How a message reaches the agent.
         * @enum {string}
         */
        SteerDelivery: "live" | "next_turn";
        /** @description Answer to sending a message. */
        SteerResponse: {
            /** @description How the message reaches the agent. */
            delivery: components["schemas"]["SteerDelivery"];
            /** @description The task after the request. */
            task: components["schemas"]["Task"];
        };
        /**
         * @description Outcome of one check.
         * @enum {string}
         */
        StepOutcome: "passed" | "failed" | "timed_out" | "stopped" | "quarantined";
        /** @description The result of one check. */
        StepResult: {
            /** @description The command as configured. */
            command: string;
            /**
             * Format: int64
             * @description Duration in milliseconds.
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description Exit code; `null` if the command did not exit by itself.
             */
            exit_code: number | null;
            /**
             * Format: int64
             * @description Offset of its output in the attempt's log, in bytes.
             */
            log_from: number;
            /**
             * Format: int64
             * @description End of its output in the attempt's log, in bytes.
             */
            log_to: number;
            /** @description How the check ended. */
            outcome: components["schemas"]["StepOutcome"];
            /** @description The end of the output. */
            output_tail: string;
        };
        /** @description Request to stop an execution. The task stays in its state, and Forge starts nothing by itself. */
        StopExecution: {
            /** @description Why it is stopped; the task records it. */
            reason?: string | null;
        };
        /** @description How a task is part of its parent, and its result. */
        SubtaskInfo: {
            /** @description The commit of an ordered turn on the parent's branch; `null` if there is none. */
            commit: string | null;
            /** @description Mode of the subtask. */
            mode: components["schemas"]["SubtaskMode"];
            /** @description Whether an execution of an ordered turn ended without a change. */
            no_changes: boolean;
            /**
             * Format: int64
             * @description Position of an ordered turn among the turns of its parent; `null` for an independent subtask.
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
        /** @description The task that reverts or fixes what another task landed. */
        SuccessorTask: {
            /** @description Files in which later work conflicts with the revert. */
            conflicts: string[];
            /** @description Whether this request created the task; `false` if an earlier request did. */
            made: boolean;
            /** @description The new or existing task. */
            task: components["schemas"]["Task"];
        };
        /** @description Versions and directories of the server. */
        SystemInfo: {
            /** @description The directory for all data outside the database; `null` for members, who do not see paths of the server. */
            data_dir: string | null;
            /** @description The database: `sqlite` or `postgres`. */
            database: string;
            /** @description Version of the database. */
            database_version: string;
            /** @description The version of git; `null` if git did not answer. */
            git_version: string | null;
            /**
             * Format: uuid
             * @description Identifier of this Forge process; it stays the same across restarts.
             */
            node: string;
            /** @description Version of Forge. */
            version: string;
        };
        /** @description A conflict between a branch and its target. */
        TargetConflict: {
            /** @description The files in conflict. */
            files: string[];
            /**
             * Format: date-time
             * @description When the conflict was first found.
             */
            since: string;
        };
        /** @description A task on a project's board. */
        Task: {
            /**
             * Format: date-time
             * @description When it was archived, which hides it from lists.
             */
            archived_at: string | null;
            budget: components["schemas"]["BudgetLimits"] | null;
            busy: components["schemas"]["ActivityView"] | null;
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
            /** @description Handoff notes, oldest first. */
            handoffs: components["schemas"]["HandoffView"][];
            /** Format: uuid */
            id: string;
            /** @description The number as people write it, for example `T-12`. */
            key: string;
            /** @description Kind of the task. */
            kind: components["schemas"]["TaskKind"];
            /** @description Labels of the task. */
            labels: string[];
            landing: components["schemas"]["LandingReport"] | null;
            /** @description How and where it lands. */
            merge_config: components["schemas"]["MergeConfig"];
            /** @description Messages that its agent is not known to have read yet, oldest first (SPEC T-22). */
            messages: components["schemas"]["QueuedMessage"][];
            /**
             * @description Data of your own tools. `handoff` in it says where the work of the last handoff is, as do `handoffBranch`,
             *     `handoffWorktree`, `lastSessionId` and `handoffAt` in its `orchestrator`.
             */
            metadata: Record<string, never>;
            /**
             * Format: int64
             * @description Number within the project, from 1.
             */
            number: number;
            origin: components["schemas"]["TaskOrigin"] | null;
            /** @description By role, what the claim of its holder changes about the agent's settings. */
            overrides: {
                [key: string]: components["schemas"]["ClaimOverrides"];
            };
            /**
             * Format: uuid
             * @description The task it is a part of.
             */
            parent: string | null;
            /** @description Board phase of that state. */
            phase: components["schemas"]["TaskPhase"];
            /** @description The last answer of its last planner, which is part of the later prompts; `null` without a plan. */
            plan: string | null;
            /**
             * Format: int32
             * @description Priority; higher numbers go first.
             */
            priority: number;
            /**
             * Format: uuid
             * @description The project it belongs to.
             */
            project_id: string;
            pull_request: components["schemas"]["PullRequest"] | null;
            /** @description Questions that wait for an answer, oldest first (SPEC T-27). */
            questions: components["schemas"]["Question"][];
            regression: components["schemas"]["RegressionReport"] | null;
            /**
             * Format: uuid
             * @description The repository it works on; `null` in a project without one.
             */
            repo_id: string | null;
            /**
             * Format: uuid
             * @description The task that reverts what it landed.
             */
            reverted_by: string | null;
            /** @description How a gate reviews it. */
            review_config: components["schemas"]["ReviewConfig"];
            /**
             * Format: date-time
             * @description When the current content passed its gate.
             */
            review_passed_at: string | null;
            /** @description Holders of its roles, by role. */
            roles: {
                [key: string]: components["schemas"]["RoleAssignee"];
            };
            /** @description Current workflow state. */
            status: string;
            subtask: components["schemas"]["SubtaskInfo"] | null;
            /** @description Short title of the task. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Version number; every write increases it. Send it back when changing the task.
             */
            version: number;
            /** @description Hash of the exact workflow definition it follows. */
            workflow_hash: string;
        };
        /** @description Numbers of a project's tasks, without archived ones. */
        TaskCounts: {
            /** @description By phase of the board. */
            phases: components["schemas"]["PhaseCounts"];
            /** @description By name of the state; states without a task are left out. */
            states: {
                [key: string]: number;
            };
        };
        /** @description A dependency of one task on another. */
        TaskDependency: {
            /**
             * Format: uuid
             * @description The task it waits for.
             */
            depends_on_id: string;
            /** @description Board phase of that state. */
            phase: components["schemas"]["TaskPhase"];
            /** @description Whether the dependency no longer blocks the task. */
            satisfied: boolean;
            /** @description Workflow state of the task it waits for. */
            status: string;
            /**
             * Format: uuid
             * @description The task that waits.
             */
            task_id: string;
        };
        /**
         * @description Kind of a task (SPEC §3.7).
         * @enum {string}
         */
        TaskKind: "task" | "session" | "run" | "triage";
        /** @description The task for which Forge created this one. */
        TaskOrigin: {
            /** @description Why Forge created it. */
            kind: components["schemas"]["OriginKind"];
            /**
             * Format: uuid
             * @description The original task.
             */
            task_id: string;
        };
        /**
         * @description Request to change a task's own fields; fields that are left out stay as they are. The status changes only by a
         *     transition.
         */
        TaskPatch: {
            budget?: components["schemas"]["BudgetLimits"] | null;
            /** @description New description; `null` empties it. */
            description?: string | null;
            /** @description New list of labels. */
            labels?: string[];
            merge_config?: components["schemas"]["MergeConfig"] | null;
            /** @description New metadata, as a whole. */
            metadata?: Record<string, never>;
            /**
             * Format: int32
             * @description New priority of the task.
             */
            priority?: number;
            review_config?: components["schemas"]["ReviewConfig"] | null;
            /** @description New title of the task. */
            title?: string;
            /**
             * Format: int64
             * @description The version that the caller read.
             */
            version: number;
        };
        /**
         * @description The part of the board that a state belongs to, whatever its name (SPEC F-6).
         * @enum {string}
         */
        TaskPhase: "backlog" | "ready" | "working" | "review" | "done";
        /** @description The exact prompt that a role would get now. */
        TaskPrompt: {
            /** @description Whether the project has its own template for the role. */
            customised: boolean;
            /** @description The text of the prompt. */
            prompt: string;
            /** @description The purpose of its execution. */
            purpose: components["schemas"]["PromptPurpose"];
            /** @description The role that gets the prompt. */
            role: string;
        };
        /**
         * @description Sort key of a task list.
         * @enum {string}
         */
        TaskSort: "created" | "updated" | "priority";
        /** @description What a task waits for. */
        TaskWaiting: {
            /** @description Whether an agent can claim it. */
            claimable: boolean;
            /** @description The files involved: files in conflict, or files that block the landing. */
            files: string[];
            /** @description The task's key, for example `T-12`. */
            key: string;
            /** @description What it waits for and why, in words. */
            message: string;
            /** @description Suggested next actions for the caller, best first. */
            next: components["schemas"]["NextStep"][];
            /**
             * @description Why it waits for a person: the type of its error_annotation, or one of `review_passed`, `verdict`,
             *     `pull_request`, `claim`, `decision`; `null` if it does not wait for a person.
             */
            person_reason: string | null;
            /**
             * Format: int64
             * @description Its position among the project's tasks of equal service; `null` if something else keeps it.
             */
            place: number | null;
            /** @description Reasons that keep it from being assigned to an agent, most important first; empty if it is not waiting. */
            reasons: components["schemas"]["WaitReason"][];
            /**
             * Format: date-time
             * @description Since when it waits for a person; `null` if it does not.
             */
            since: string | null;
            /** @description The task's status. */
            status: string;
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description What has to act before the task continues. */
            waits_for: components["schemas"]["WaitsFor"];
        };
        /** @description Number of tokens that an execution used. */
        TokenCount: {
            /**
             * Format: int64
             * @description Input tokens, cached ones included.
             */
            input: number;
            /**
             * Format: int64
             * @description Number of output tokens.
             */
            output: number;
        };
        /**
         * @description What a token allows.
         * @enum {string}
         */
        TokenScope: "full" | "read_only";
        /** @description One recorded change of a task's status. */
        Transition: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            at: string;
            /** @description The state before. */
            from_state: string;
            /** Format: uuid */
            id: string;
            /** @description Whether a gate rejected the task. */
            rejection: boolean;
            /** @description The state after. */
            to_state: string;
            /** @description Why; for a rejection, the feedback. */
            trigger_reason: string | null;
            /** @description The actor that moved the task. */
            triggered_by: components["schemas"]["ActorView"];
        };
        /** @description Request to move a task to another state. */
        TransitionRequest: {
            /** @description Why it moves; the history records it. */
            reason?: string | null;
            /** @description The new state. */
            status: string;
            /**
             * Format: int64
             * @description The version of the task that the caller read: if the task has changed since, the answer is `version_conflict`.
             *     If left out, the task moves whatever its version is.
             */
            version?: number | null;
        };
        /**
         * @description Answer to a transition; its shape depends on the kind of the new state.
         *
         *     The order of the variants matters for deserialization: the plain task comes last.
         */
        TransitionResponse: {
            /** @description The attempt with the results of the checks. */
            review: components["schemas"]["Review"];
            /** @description The task after the checks. */
            task: components["schemas"]["Task"];
        } | {
            /** @description The effect that is still pending. */
            step: components["schemas"]["EffectView"];
            /** @description The task as it is now. */
            task: components["schemas"]["Task"];
        } | components["schemas"]["Task"];
        /** @description Tokens and cost, as reported by an agent's program. */
        UsageAmount: {
            /**
             * Format: int64
             * @description Input tokens that came from a cache.
             */
            cached_tokens: number;
            /**
             * Format: int64
             * @description Cost in millionths of a US dollar; `null` if no program reported a cost.
             */
            cost_micro_usd: number | null;
            /**
             * Format: int64
             * @description Input tokens, cached ones included.
             */
            input_tokens: number;
            /**
             * Format: int64
             * @description Number of output tokens.
             */
            output_tokens: number;
        };
        /** @description Usage summed over executions. */
        UsageSum: {
            budget: components["schemas"]["BudgetLimits"] | null;
            /**
             * Format: int64
             * @description Number of executions that reported usage.
             */
            executions: number;
            /** @description Whether the budget is used up; no agent starts until it is raised. */
            exhausted: boolean;
            /**
             * Format: int64
             * @description Number of executions of agents, whether or not they reported usage.
             */
            runs: number;
            /** @description Total usage of these executions. */
            usage: components["schemas"]["UsageAmount"];
        };
        /** @description Request to sign in with a one-time link: that of the first start, or the one that an admin made for a user. */
        UseLink: {
            /**
             * Format: password
             * @description The code from the link.
             */
            code: string;
            /** @description First start: name of the first admin; `admin` if left out. Link of a user: the user's name, or left out. */
            name?: string | null;
            /**
             * Format: password
             * @description The new password. The link of a user needs one; without one the first admin needs a token once the session ends.
             */
            password?: string | null;
        };
        /** @description A person with an account. */
        User: {
            /**
             * Format: date-time
             * @description When the user was created.
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description The name that the user signs in with. */
            name: string;
            /**
             * Format: date-time
             * @description When the account was removed; `null` while it exists.
             */
            removed_at: string | null;
            /** @description Permissions of the user. */
            role: components["schemas"]["UserRole"];
        };
        /** @description A link with which a user sets a password once, without the admin knowing it. */
        UserLink: {
            /**
             * Format: password
             * @description Its code; only this answer contains it. The page `/welcome#code=CODE` of the server takes it, or `POST
             *     /auth/link`.
             */
            code: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /** @description The user it is for. */
            user: components["schemas"]["User"];
        };
        /**
         * @description Permissions of a user.
         * @enum {string}
         */
        UserRole: "admin" | "member";
        /**
         * @description Reasons that keep a claimable task from being assigned to an agent.
         * @enum {string}
         */
        WaitCode: "project_paused" | "dispatch_off" | "dispatch_paused" | "needs_attention" | "held_by_person" | "ending" | "dependency" | "conflict_hold" | "budget_exhausted" | "no_repository" | "no_agent" | "handed_off" | "agent_paused" | "program_missing" | "quota_wait" | "not_signed_in" | "agent_at_capacity" | "project_at_capacity" | "node_at_capacity" | "disk_low" | "memory_low" | "pressure_high" | "next_in_line";
        /** @description One reason for which a task waits. */
        WaitReason: {
            /** @description Code of the reason, for programs. */
            code: components["schemas"]["WaitCode"];
            /** @description The reason in words, with what to do about it. */
            message: string;
            /**
             * @description The objects it is about, for example unfinished dependencies or busy agents; empty if there is nothing to
             *     name.
             */
            subjects: string[];
        };
        /**
         * @description What has to act before a task continues.
         * @enum {string}
         */
        WaitsFor: "person" | "queueing" | "agent" | "execution" | "checks" | "landing" | "server" | "time" | "turns" | "nothing";
        /** @description A webhook: the events of a project, posted to a URL. Its secret is never part of an answer. */
        Webhook: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last delivered event.
             */
            delivered_at: string | null;
            /** @description Why the server disabled it; `null` if a user did, or if it is enabled. */
            disabled_reason: string | null;
            /** @description Types of the events to deliver; `null` for all. */
            event_types: components["schemas"]["EventType"][] | null;
            /**
             * Format: date-time
             * @description Time of the first of them.
             */
            failing_since: string | null;
            /**
             * Format: int32
             * @description Failed attempts at the next event.
             */
            failures: number;
            /** Format: uuid */
            id: string;
            /** @description Error of the last of them. */
            last_error: string | null;
            /** @description Unique in the project. */
            name: string;
            /**
             * Format: date-time
             * @description Time of the next attempt, while it is failing.
             */
            next_attempt_at: string | null;
            /**
             * Format: uuid
             * @description The user on whose behalf events are sent; it is disabled when that user may no longer read them.
             */
            owner_id: string | null;
            /** Format: uuid */
            project_id: string;
            status: components["schemas"]["WebhookStatus"];
            /** Format: date-time */
            updated_at: string;
            /** @description Where events are posted. */
            url: string;
            /**
             * Format: int64
             * @description Increases with every change.
             */
            version: number;
            /**
             * Format: int64
             * @description Number of events of the project after the last one that was delivered or is not wanted.
             */
            waiting_events: number;
        };
        /** @description Something that was posted to a webhook, and how the receiver answered the last attempt. */
        WebhookDelivery: {
            /** @description The last characters of the body of the answer. */
            answer: string;
            /**
             * Format: date-time
             * @description Time of the last attempt.
             */
            at: string;
            /**
             * Format: int32
             * @description Number of attempts.
             */
            attempts: number;
            /** @description Whether the receiver accepted it. */
            delivered: boolean;
            /**
             * Format: int64
             * @description How long the last attempt took.
             */
            duration_ms: number;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @description Type of the event. */
            event_type: string;
            /**
             * Format: int32
             * @description Status of the answer; `null` without an answer.
             */
            http_status: number | null;
            kind: components["schemas"]["WebhookDeliveryKind"];
            /**
             * Format: int64
             * @description Number among the deliveries of the webhook.
             */
            number: number;
            /**
             * Format: int64
             * @description Sequence number of the event; `null` for a test.
             */
            seq: number | null;
        };
        /**
         * @description Why something was posted to a webhook.
         * @enum {string}
         */
        WebhookDeliveryKind: "event" | "redelivery" | "ping";
        /** @description Request to change a webhook; fields that are left out stay as they are. */
        WebhookPatch: {
            /** @description Whether events are delivered. A caller who enables it becomes the owner. */
            enabled?: boolean;
            /** @description Types of the events to deliver; `null` for all. */
            event_types?: components["schemas"]["EventType"][] | null;
            name?: string;
            /**
             * Format: password
             * @description A new secret for the signatures.
             */
            secret?: string;
            /** @description Whether the events that were not delivered yet are skipped. */
            skip_waiting?: boolean;
            /** @description Where events are posted. The caller becomes the owner. */
            url?: string;
            /**
             * Format: int64
             * @description The version that the caller knows; without it the change applies to any version.
             */
            version?: number;
        };
        /**
         * @description State of a webhook.
         * @enum {string}
         */
        WebhookStatus: "active" | "failing" | "disabled";
        /** @description What waits for a person, is being worked on, is queued, and landed recently, in all projects of the caller. */
        WorkOverview: {
            /**
             * Format: int32
             * @description Number of tasks that are not queued yet, up to 1000.
             */
            backlog: number;
            /** @description Tasks that landed in the period, latest first. */
            landed: components["schemas"]["WorkOverviewGroup"];
            /** @description Tasks that wait for a person, longest wait first. */
            needs_person: components["schemas"]["WorkOverviewGroup"];
            /** @description Tasks that wait for an agent, most urgent first. */
            queued: components["schemas"]["WorkOverviewGroup"];
            /** @description Tasks that an agent, a person or the server works on, latest change first. */
            working: components["schemas"]["WorkOverviewGroup"];
        };
        /** @description A group of the overview. */
        WorkOverviewGroup: {
            /**
             * Format: int32
             * @description Number of tasks in the group. Counts end at 1000, and that of landed tasks at 100.
             */
            count: number;
            /** @description The first tasks of the group. */
            tasks: components["schemas"]["WorkOverviewTask"][];
        };
        /** @description A task of the overview. */
        WorkOverviewTask: {
            /**
             * Format: int64
             * @description Time since then in seconds.
             */
            age_seconds: number;
            /** @description Name of the agent or user that works on it, worked on it last, or has a role in it; `null` if there is none. */
            holder: string | null;
            /** @description The task's key, for example `T-12`. */
            key: string;
            /** @description What it waits for, in words. */
            message: string;
            /** @description Suggested next actions for the caller, best first. */
            next: components["schemas"]["NextStep"][];
            /** @description Board phase of that state. */
            phase: components["schemas"]["TaskPhase"];
            /** @description The project's name. */
            project_name: string;
            /** @description The project's slug, as commands take it. */
            project_slug: string;
            /** @description Why it waits for a person, as in the list of tasks that need a person; `null` if it does not. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Since when it is in its group: since when it waits or is being worked on, or when it landed.
             */
            since: string;
            /** @description Workflow state of the task. */
            status: string;
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description Title of the task. */
            title: string;
        };
        /** @description The name of a built-in template, or a whole definition. */
        WorkflowChoice: string | Record<string, never>;
        /** @description The workflow of a project. */
        WorkflowRef: {
            /** @description Hash of the exact definition. */
            hash: string;
            /** @description The workflow's name. */
            name: string;
        };
        /** @description A workflow with all its states. */
        WorkflowView: {
            /** @description The state for cancelled tasks. */
            cancel: string;
            /** @description The state for tasks that need a person. */
            fault: string;
            /** @description Hash of the exact definition. */
            hash: string;
            /** @description Where new tasks start. */
            initial: string;
            /** @description The workflow's name. */
            name: string;
            /** @description All states, in the order of the definition. */
            states: components["schemas"]["StateView"][];
        };
        /** @description One workspace and the decision about it. */
        WorkspaceCleanup: {
            /** @description The task's key, for example `T-12`. */
            key: string | null;
            /** @description Path of the workspace; empty if there is none. */
            path: string;
            /** @description Where uncommitted work is saved; `null` if a dry run found none. */
            saved_under: string | null;
            /**
             * Format: uuid
             * @description The task of the workspace; `null` for an orphan.
             */
            task_id: string | null;
            /** @description The decision about the workspace. */
            verdict: components["schemas"]["CleanupDecision"];
            /** @description Why, or what prevents the removal. */
            why: string;
        };
        /** @description The lock on a workspace (SPEC W-4). */
        WorkspaceLock: {
            /**
             * Format: uuid
             * @description The execution that holds it; `null` if Forge itself works in the workspace.
             */
            execution_id: string | null;
            /** @description The execution or the effect that holds it. */
            holder: string;
            /** @description The machine of the Forge process. */
            node: string;
            /**
             * Format: int32
             * @description The process that holds the lock.
             */
            pid: number;
            /**
             * Format: date-time
             * @description Since when it is locked.
             */
            since: string;
        };
        /** @description The last setup of a task's workspace. */
        WorkspaceSetup: {
            /**
             * Format: date-time
             * @description When the setup was requested.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When the setup ended.
             */
            finished_at: string | null;
            /** @description A part of its output. */
            log: components["schemas"]["LogPage"];
            /** @description The ports of the task, `FORGE_PORT_0` first. */
            ports: number[];
            /** @description Progress of the setup. */
            status: components["schemas"]["SetupStatus"];
        };
        /**
         * @description State of a workspace.
         * @enum {string}
         */
        WorkspaceStatus: "preparing" | "ready" | "cleaning" | "cleaned" | "corrupted" | "error" | "unknown";
        /**
         * @description Where the tasks of a project run (SPEC W-1).
         * @enum {string}
         */
        WorkspaceType: "git_worktree" | "persistent_directory";
        /** @description A task's workspace. Values that come from git are `null` once the directory is gone. */
        WorkspaceView: {
            /**
             * Format: int64
             * @description Number of commits that the target branch does not have.
             */
            ahead: number | null;
            /** @description The commit that the branch started from. */
            base: string | null;
            /**
             * Format: int64
             * @description Number of commits of the target branch that it does not have.
             */
            behind: number | null;
            /** @description The branch; `null` without git or on a detached commit. */
            branch: string | null;
            dirty: components["schemas"]["DirtyCounts"] | null;
            /** @description The current commit. */
            head: string | null;
            /** @description The task's key, such as `T-12`. */
            key: string;
            /** @description The last error of an operation on it. */
            last_error: string | null;
            lock: components["schemas"]["WorkspaceLock"] | null;
            /** @description Path of the directory on the server's disk. */
            path: string;
            /**
             * Format: uuid
             * @description The task's project.
             */
            project_id: string;
            /** @description State of the workspace. */
            status: components["schemas"]["WorkspaceStatus"];
            /**
             * Format: uuid
             * @description Identifier of the task.
             */
            task_id: string;
            /** @description The task's title. */
            title: string;
        };
    };
    responses: {
        /** @description The request failed; `code` says why and `message` what to do next. */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
            /** @description The overview. */
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
    list_agent_programs: {
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
                    "application/json": components["schemas"]["Page_AgentProgram"];
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
    remove_agent: {
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
            /** @description It was removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
    get_agent_environment: {
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
                    "application/json": components["schemas"]["AgentEnvironment"];
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
    probe_agent: {
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
                    "application/json": components["schemas"]["AgentProbe"];
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
            /** @description The summed usage. */
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
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    local_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocalSignInRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocalSignInResponse"];
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
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Signed in; the session is a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
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
                    "application/json": components["schemas"]["CallerInfo"];
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
            /** @description The demonstration was started */
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
            /** @description The state of the demonstration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoReport"];
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
                /** @description Only these event types, separated by commas. */
                type?: string;
                /** @description Start after this event; for clients that cannot send `Last-Event-ID`. */
                after?: string;
            };
            header?: {
                /** @description The id of the last received event */
                "Last-Event-ID"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client disconnects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["EventView"];
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
            /** @description The new execution was started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_execution_log: {
        parameters: {
            query?: {
                /** @description Return the events after this number; 0 if left out. */
                after?: number;
                /** @description Maximum number of events. */
                limit?: number;
                /** @description Return only this many of the last events instead. */
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
                /** @description The first byte; 0 if left out. */
                from?: number;
                /** @description Maximum number of bytes. */
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
                /** @description Start after this event number; 0 if left out. */
                after?: number;
            };
            header?: {
                /** @description The id of the last received event */
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
            /** @description Log events until the execution ends */
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailExecution"];
            };
        };
        responses: {
            /** @description The processes of the execution have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RescueResponse"];
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
            /** @description The activity of the execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPulse"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestartExecution"];
            };
        };
        responses: {
            /** @description The new execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RescueResponse"];
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
            /** @description The message was accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SteerResponse"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StopExecution"];
            };
        };
        responses: {
            /** @description The processes of the execution have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RescueResponse"];
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
            /** @description The reviewed attempt. */
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
            /** @description The password was changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    list_needs_person: {
        parameters: {
            query?: {
                /** @description Only tasks of this project. */
                project?: string;
                /** @description Maximum number of tasks. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_NeedsPerson"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_projects: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
    remove_project: {
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
            /** @description It was removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedProject"];
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
                "application/json": components["schemas"]["QuarantineRequest"];
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
                    "application/json": components["schemas"]["ConflictList"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_ProjectMember"];
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
                    "application/json": components["schemas"]["ProjectMember"];
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
            /** @description The user is not a member */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
            /** @description It was removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    get_repo_config: {
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
                    "application/json": components["schemas"]["RepoConfig"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    accept_repo_config: {
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
                    "application/json": components["schemas"]["RepoConfig"];
                };
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
            /** @description The token was stored */
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
            /** @description It was removed */
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
    count_tasks: {
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
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskCounts"];
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
                /** @description Only tasks in this board phase. */
                phase?: components["schemas"]["TaskPhase"];
                /** @description Only tasks with this label. */
                label?: string;
                /** @description Only tasks in which this agent holds a role. */
                agent?: string;
                /** @description Only tasks whose title or description contains these words. */
                text?: string;
                /** @description Only tasks of this kind. */
                kind?: components["schemas"]["TaskKind"];
                /** @description Include archived tasks. */
                include_archived?: boolean;
                /** @description Sort key; `created` if left out. */
                sort?: components["schemas"]["TaskSort"];
                /** @description Direction; `desc` if left out. */
                order?: components["schemas"]["SortOrder"];
                /** @description Maximum number of tasks. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and order. */
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
                    "application/json": components["schemas"]["MergeTrainStatus"][];
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
                    "application/json": components["schemas"]["MergeTrainStatus"][];
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
                    "application/json": components["schemas"]["MergeTrainStatus"][];
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
            /** @description The summed usage. */
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
    list_webhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_Webhook"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    create_webhook: {
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
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook: string;
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
                webhook: string;
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
                    "application/json": components["schemas"]["Page_WebhookDelivery"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    redeliver_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook: string;
                number: number;
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
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook: string;
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
                    "application/json": components["schemas"]["WebhookDelivery"];
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
                /** @description The first byte; 0 if left out. */
                from?: number;
                /** @description Maximum number of bytes. */
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
    get_status: {
        parameters: {
            query?: {
                /** @description Maximum number of tasks in each group; 5 if left out. */
                limit?: number;
                /** @description Length of the period for landed tasks, in seconds before now; a day if left out. */
                landed_seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkOverview"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    back_up_database: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The database file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.sqlite3": number[];
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
                    "application/json": components["schemas"]["DispatchStatus"];
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
                    "application/json": components["schemas"]["DispatchStatus"];
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
                    "application/json": components["schemas"]["DispatchStatus"];
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
    delete_task: {
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
            /** @description It was deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
    accept_landed_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcceptLanded"];
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
            /** @description The complete list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ActionView"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description Claimed, the workspace is ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResponse"];
                };
            };
            /** @description Claimed; the workspace is being made, or has to wait: for space on the disk, or for the task that has the project's one directory. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_comments: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
    complete_task: {
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteTask"];
            };
        };
        responses: {
            /** @description Moved, and the work that followed has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionResponse"];
                };
            };
            /** @description Moved; the effect in `step` is pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_dependencies: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_TaskDependency"];
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
                    "application/json": components["schemas"]["TaskDependency"];
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
                /** @description The range of changes. */
                scope?: components["schemas"]["DiffScope"];
                /** @description The format of the answer. */
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
            /** @description The changes, in the requested format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffView"];
                    "text/x-diff": string;
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    stream_diff: {
        parameters: {
            query?: {
                /** @description The range of changes. */
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
            /** @description Changes, until the client disconnects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["DiffEvent"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_effects: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_EffectView"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_executions: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                /** @description What to compare with. */
                against?: components["schemas"]["JournalAgainst"];
                /** @description The format of the answer. */
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
            /** @description The changes, in the requested format. */
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
                "application/json": components["schemas"]["ForkEntry"];
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
                "application/json": components["schemas"]["RestoreEntry"];
            };
        };
        responses: {
            /** @description The workspace has the files of the entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    preview_prompt: {
        parameters: {
            query?: {
                /** @description A role of the task's workflow; the role that carries the task if left out. */
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
    list_questions: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_Question"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    ask_question: {
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
                "application/json": components["schemas"]["NewQuestion"];
            };
        };
        responses: {
            /** @description The question. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    get_question: {
        parameters: {
            query?: {
                /** @description Waits up to this many seconds while the question is open, at most 600; 0 does not wait. */
                wait_seconds?: number;
            };
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The question's number. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    answer_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The question's number. */
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAnswer"];
            };
        };
        responses: {
            /** @description The question with its answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    confirm_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task. */
                id: string;
                /** @description The question's number. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question with its answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RebaseTask"];
            };
        };
        responses: {
            /** @description The target was merged, or the files contain conflict markers. */
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
            /** @description The existing task that fixes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            /** @description The new task that fixes it. */
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
            /** @description The existing task that reverts it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessorTask"];
                };
            };
            /** @description The new task that reverts it. */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveReview"];
            };
        };
        responses: {
            /** @description The attempt was approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewResponse"];
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
            /** @description The attempt was rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewResponse"];
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
            /** @description The task; the reset is pending. */
            202: {
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
    list_subtasks: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
            /** @description Moved, and the work that followed has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionResponse"];
                };
            };
            /** @description Moved; the effect in `step` is pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionResponse"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_transitions: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
            /** @description The summed usage. */
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
                    "application/json": components["schemas"]["WorkspaceView"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CleanWorkspaces"];
            };
        };
        responses: {
            /** @description The decision about the workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceCleanup"];
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
                /** @description The first byte; 0 if left out. */
                from?: number;
                /** @description Maximum number of bytes. */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_ApiToken"];
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
            /** @description The token was revoked */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
    remove_user: {
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
            /** @description The user was removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Failure"];
        };
    };
    create_user_link: {
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLink"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    list_workflows: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                /** @description Maximum number of items. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
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
                    "application/json": components["schemas"]["Page_WorkspaceView"];
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CleanWorkspaces"];
            };
        };
        responses: {
            /** @description The decision about each workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WorkspaceCleanup"];
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
            /** @description The complete list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_OrphanView"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
}
