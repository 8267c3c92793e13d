// Generated from docs/openapi.json by `npm run generate`. Change the server, not this file.

export interface paths {
    "/api/v1/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Repo"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Repo"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowView"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    status?: string;
                    phase?: components["schemas"]["Phase"];
                    label?: string;
                    agent?: string;
                    text?: string;
                    kind?: components["schemas"]["TaskKind"];
                    include_archived?: boolean;
                    sort?: components["schemas"]["TaskSort"];
                    order?: components["schemas"]["SortOrder"];
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                    "application/json": components["schemas"]["NewTask"];
                };
            };
            responses: {
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Agent"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
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
                    "application/json": components["schemas"]["TaskPatch"];
                };
            };
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                    "application/json": components["schemas"]["Claim"];
                };
            };
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Claimed"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                    "application/json": components["schemas"]["TransitionRequest"];
                };
            };
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TransitionAnswer"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Action"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Transition"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Step"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Review"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Execution"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Dependency"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                    "application/json": components["schemas"]["NewDependency"];
                };
            };
            responses: {
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dependency"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Comment"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post: {
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
                    "application/json": components["schemas"]["NewComment"];
                };
            };
            responses: {
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Comment"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
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
        get: {
            parameters: {
                query?: {
                    scope?: components["schemas"]["DiffScope"];
                    format?: components["schemas"]["DiffFormat"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Diff"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        get: {
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
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Execution"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
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
        get: {
            parameters: {
                query?: {
                    from?: number;
                    limit?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LogPage"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description ok */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DemoStarted"];
                    };
                };
                /** @description error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
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
        /** @description Changes an agent; what is left out stays. */
        AgentPatch: {
            /** @description New program; running executions keep the old one. */
            executor?: components["schemas"]["Executor"];
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
        /**
         * @description What the engine is doing for a task right now.
         * @enum {string}
         */
        Busy: "stopping" | "preparing" | "running" | "checking" | "judging" | "landing" | "cleaning";
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
         * @description Which changes.
         * @enum {string}
         */
        DiffScope: "uncommitted" | "branch" | "all";
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
        ErrorCode: "unauthorized" | "forbidden" | "host_refused" | "origin_refused" | "throttled" | "link_used" | "not_found" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "body_too_deep" | "body_not_utf8" | "body_not_json" | "invalid_field" | "unknown_field" | "invalid_query" | "invalid_name" | "invalid_path" | "duplicate" | "version_conflict" | "invalid_transition" | "not_claimable" | "already_claimed" | "agent_paused" | "project_paused" | "dependency_gate" | "agent_at_capacity" | "review_not_passed" | "execution_running" | "task_terminal" | "task_archived" | "dependency_cycle" | "dependency_scope" | "PARENT_WORKSPACE_REQUIRED" | "SUBTASK_SEQUENCE_NOT_COMPLETE" | "invalid_workflow" | "workflow_in_use" | "unknown_role" | "repo_unusable" | "no_repository" | "workspace_missing" | "workspace_corrupted" | "workspace_locked" | "target_checkout_dirty" | "stale_lease" | "request_timeout" | "timeout" | "shutting_down" | "not_ready" | "internal";
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
        EventType: "task.created" | "task.transitioned" | "task.updated" | "execution.started" | "execution.finished" | "execution.stalled" | "review.started" | "review.finished" | "merge.started" | "merge.finished" | "workspace.created" | "workspace.cleaned" | "workspace.error" | "agent.created" | "agent.updated" | "agent.paused" | "agent.resumed" | "project.created" | "project.updated" | "project.paused" | "project.resumed" | "conflict.detected" | "conflict.cleared" | "train.changed" | "message.sent" | "comment.created";
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
            /**
             * Format: uuid
             * @description The person, if one works.
             */
            user_id: string | null;
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
        /** @description The program behind an agent. */
        Executor: {
            /** @description The program and its arguments; no shell interprets them. */
            command: string[];
            /** @enum {string} */
            kind: "shell";
            /**
             * Format: int64
             * @description Stops a run that takes longer; `null` for no limit.
             */
            timeout_seconds?: number | null;
        };
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
        /** @description Where and how a task's branch is landed. */
        MergeConfig: {
            /** @description How it lands. */
            strategy?: components["schemas"]["MergeStrategy"];
            /** @description The branch it lands on; `null` for the repository's default branch. */
            target_branch?: string | null;
        };
        /**
         * @description How a branch is landed.
         * @enum {string}
         */
        MergeStrategy: "squash" | "merge" | "rebase";
        /** @description Creates an agent. */
        NewAgent: {
            /** @description Goes away when its work is finished. */
            ephemeral?: boolean;
            /** @description The program behind it. */
            executor: components["schemas"]["Executor"];
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
        /** @description Makes a task wait for another. */
        NewDependency: {
            /**
             * Format: uuid
             * @description The task to wait for.
             */
            depends_on_id: string;
        };
        /** @description Creates a project. */
        NewProject: {
            /** @description Name. */
            name: string;
            settings?: components["schemas"]["ProjectSettings"] | null;
            workflow?: components["schemas"]["WorkflowChoice"] | null;
            workspace_type?: components["schemas"]["WorkspaceType"] | null;
        };
        /** @description Adds a repository to a project: exactly one of path and url is given. */
        NewRepo: {
            /** @description Taken from the path or URL if left out. */
            name?: string | null;
            /** @description A repository on the server's disk, as an absolute path. */
            path?: string | null;
            /** @description A remote that Forge clones. */
            url?: string | null;
        };
        /** @description Creates a task. It starts in the workflow's initial state. */
        NewTask: {
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
            /** @description Short label. */
            title: string;
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
                busy: components["schemas"]["Busy"] | null;
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
                /** @description How it is landed. */
                merge_config: components["schemas"]["MergeConfig"];
                /** @description Kept for the user's own tools. */
                metadata: Record<string, never>;
                /**
                 * Format: int64
                 * @description Counts up per project.
                 */
                number: number;
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
                /**
                 * Format: uuid
                 * @description The repository it works on; `null` in a project without one.
                 */
                repo_id: string | null;
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
            /** @description How a task's branch is named (SPEC T-24); `null` for `forge/{number}-{slug}`. */
            branch_template?: string | null;
            /** @description What tasks without a review_config of their own get. */
            default_review_config?: components["schemas"]["ReviewConfig"];
            /** @description Kept for the user's own tools; Forge does not read it. */
            metadata?: Record<string, never>;
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
        /** @description One attempt of a task at a gate. */
        Review: {
            /**
             * Format: int32
             * @description Counts up with each attempt.
             */
            attempt_number: number;
            /** @description The commit that was checked. */
            commit: string | null;
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
        /**
         * @description How an attempt stands.
         * @enum {string}
         */
        ReviewStatus: "running" | "passed" | "failed" | "blocked" | "superseded";
        /** @description Signing in worked. */
        SignedIn: {
            /** @description Who is signed in now. */
            user: components["schemas"]["User"];
        };
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
        StepOutcome: "passed" | "failed" | "timed_out" | "stopped";
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
        /** @description A task. */
        Task: {
            /**
             * Format: date-time
             * @description When it was hidden from lists.
             */
            archived_at: string | null;
            busy: components["schemas"]["Busy"] | null;
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
            /** @description How it is landed. */
            merge_config: components["schemas"]["MergeConfig"];
            /** @description Kept for the user's own tools. */
            metadata: Record<string, never>;
            /**
             * Format: int64
             * @description Counts up per project.
             */
            number: number;
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
            /**
             * Format: uuid
             * @description The repository it works on; `null` in a project without one.
             */
            repo_id: string | null;
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
        /** @description Changes a task's own fields; what is left out stays. The status changes by a transition only. */
        TaskPatch: {
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
        /**
         * @description What a task list is ordered by.
         * @enum {string}
         */
        TaskSort: "created" | "updated" | "priority";
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
        /** @description Signs in with the one-time link that `serve` prints on first run. */
        UseLink: {
            /**
             * Format: password
             * @description The code in the link.
             */
            code: string;
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
        /** @description Which Forge this is. */
        Version: {
            /** @description The commit it was built from, where known. */
            commit: string | null;
            /** @description The release. */
            version: string;
        };
        /**
         * @description How the caller proved who they are.
         * @enum {string}
         */
        Via: "session" | "token" | "execution";
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
            /** @description What last went wrong. */
            last_error: string | null;
            lock: components["schemas"]["WorkspaceLock"] | null;
            /** @description The directory on the server's disk. */
            path: string;
            /** @description How it stands. */
            status: components["schemas"]["WorkspaceStatus"];
            /**
             * Format: uuid
             * @description The task.
             */
            task_id: string;
        };
        /** @description Who works in a workspace now (SPEC W-4). */
        WorkspaceLock: {
            /**
             * Format: uuid
             * @description The execution; `null` when Forge itself works there.
             */
            execution_id: string | null;
            /** @description The Forge process's machine. */
            node: string;
            /**
             * Format: int32
             * @description The process that holds it.
             */
            pid: number;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
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
        DemoStarted: {
            /** Format: uuid */
            project_id: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
