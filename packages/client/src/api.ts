// Generated from the OpenAPI document by `pnpm generate`; do not edit.

export interface paths {
    "/api/memories/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store memories and wait until they are searchable
         * @description Extracts facts from each item, compares them with known facts and links them. If this takes longer than the server waits, the response is 504 with the `operation_id`, and processing continues.
         */
        post: operations["putBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memories/batch_async": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store memories asynchronously
         * @description Responds as soon as the batch is stored durably in the event log.
         */
        post: operations["putBatchAsync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the memories of an agent
         * @description The result list is empty for an agent that does not exist.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memory units
         * @description Sorted by `date`, newest first; units of one document by their place in it. Contexts are cut to 2000 characters. The response is kept below 4 MB: if necessary, texts are cut and end in `…`.
         */
        get: operations["listUnits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get memory units and their links as a graph
         * @description Returns the units with the newest `date`, 1000 at most, and the strongest links among them, 5000 at most. `total_units` counts all units that the filters select. The response is kept below 4 MB: if necessary, texts are cut and the weakest links are omitted.
         */
        get: operations["graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{unit_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a memory unit and where it comes from
         * @description With its entities, its strongest links, its place in its document, the event, request and caller that it comes from, and its former texts. Waits up to 5 s until every change of the unit accepted before is applied, then returns 503.
         */
        get: operations["getUnit"];
        put?: never;
        post?: never;
        /** Delete a memory unit and all its links */
        delete: operations["forgetUnit"];
        options?: never;
        head?: never;
        /**
         * Correct the text of a memory unit
         * @description The unit keeps its id, date, type and document. Its entities and links follow the new text. It is not found by its former text any more, which stays in the `history` of the unit.
         */
        patch: operations["correctUnit"];
        trace?: never;
    };
    "/api/opinions/{unit_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how an opinion changed over time, and why
         * @description Each value of its text and confidence with the time, the reason and the facts that led to it, from the event log. The newest 500.
         */
        get: operations["opinionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of an agent
         * @description Types that do not occur are omitted. All counts are 0 for an unknown agent. While a large batch is being stored, it counts as pending, and what is stored of it so far is counted.
         */
        get: operations["stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of an agent
         * @description Sorted by `created_at`, newest first.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /** Delete a document and its memory units */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending and failed operations of an agent
         * @description The 10,000 oldest at most, oldest first. A large batch is `pending` until all its facts are stored. Waits up to 6 s until every operation accepted before is listed, then returns 503.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operation_id}": {
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
         * Cancel a pending operation, or dismiss a failed one
         * @description A cancelled batch stores nothing, even if processing has started.
         */
        delete: operations["cancelOperation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed operation
         * @description The operation becomes pending again, and its attempt count starts over.
         */
        post: operations["retryOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an operation
         * @description A large batch is `pending` or `processing` until all its facts are stored.
         */
        get: operations["operationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Sorted by `updated_at`, newest first, in pages of at most `limit` agents; a page ends earlier before it reaches 4 MB. An agent that changes while you page moves to the front: read the first page again to see it.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update an agent
         * @description Replaces the given fields and keeps the others. A new agent starts with the defaults: all traits 0.5, no background.
         */
        put: operations["putAgent"];
        post?: never;
        /**
         * Erase an agent
         * @description Removes its profile, memories, documents and operations, with their texts and vectors, from every store and from the event log. Batches in progress store nothing. Responds when nothing of the agent can be found any more. On 504 (erasing takes longer) or 503 (a store is unavailable), repeat the request until it returns 200 or 404. An agent of the same name can be created again and starts empty.
         */
        delete: operations["eraseAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile of an agent
         * @description Creates the agent with the defaults if it does not exist.
         */
        get: operations["getProfile"];
        /** Update the personality of an agent */
        put: operations["putProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/think": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question as the agent
         * @description Answers from the experiences, world facts and opinions of the agent, influenced by its personality. New opinions in the answer are stored and are searchable when the response arrives, unless `store` is false.
         */
        post: operations["think"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/background": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to the background of an agent
         * @description Merges the addition into the background and rewrites it in the first person. Creates the agent if it does not exist. If the traits cannot be inferred from the background, they are kept. With `preview` nothing is stored.
         */
        post: operations["addBackground"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read my user id, my spaces and their projects
         * @description The first request of a user creates a personal space "Personal" with a project "Default".
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my spaces */
        get: operations["listSpaces"];
        put?: never;
        /**
         * Create a space
         * @description Memory belongs to a space: agents with the same id in two spaces are two agents.
         */
        post: operations["createSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the projects in my spaces */
        get: operations["listProjects"];
        put?: never;
        /** Create a project in one of my spaces */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of a project's space
         * @description The newest first, of all owners.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Only this reply contains the whole key; only its SHA-256 is stored.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/api-keys/{id}": {
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
         * Revoke a key
         * @description It is refused from the next request on, and no longer listed. With `ACCESS_POLICY=strict` the owner of the space may revoke the keys of others, too.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Takes effect with the next request that uses the key. With `ACCESS_POLICY=strict` the owner of the space may deactivate the keys of others (`is_active: false` and nothing else).
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/api/v3/api-keys/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key by a new one
         * @description The record stays, with its count at 0. The old key is refused from the next request on, or after `overlap_seconds`, during which its requests count as those of the new one. An older key that was still valid ends at once.
         */
        post: operations["regenerateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/api-keys/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how a key was used, by hour or day
         * @description For those who may list the key. Counts arrive within 10 s and are kept for 90 days. They are for charts: a few are lost when a gateway is killed, while `request_count` of the key is exact.
         */
        get: operations["keyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whom this browser is signed in as
         * @description Also without a session. A session that has ended is removed from the browser.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign this browser in
         * @description Sets a cookie that no script can read. It stands for the credential in all requests below `/api/` that come from pages of this server and have the header `Mneme-Console`, until the credential or the session ends (30 days at most). If the header names a caller (`user:1`, `key:3`, or `public` for none), requests on behalf of another one are refused with 401 `SESSION_EXPIRED`. Signing in with an API key counts as a request of the key. Of more than 100 sessions of a user or a key, the oldest one ends.
         */
        post: operations["signIn"];
        /**
         * Sign this browser out
         * @description The session ends for all gateways; a copy of its cookie is worth nothing from the next request on.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/caller": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who I am and what I may do
         * @description With a token, with a key of any scopes, or without credentials. It counts as a request of the key.
         */
        get: operations["caller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/projects/{projectId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a project
         * @description The newest first, each with its 5 newest deliveries, or fewer if their payloads had more than 8 MiB together.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The reply has the URL that other systems send JSON to.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its logs
         * @description Its payloads are erased from the event log too. Rows that they became stay in their table.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Takes effect with the next delivery.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v3/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery to a webhook
         * @description Records a delivery with the given payload, byte for byte, or an example, as if a sender had sent it: it is logged, becomes a row and appears in the stream, with `test` as `source_ip`. No signature is needed.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/webhooks/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description The newest first. Waits until the deliveries that had been received are processed. A page may end before `limit`, because it has at most 8 MiB: continue at `next_offset`, which is `offset` plus the number received.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/webhooks/{id}/logs/{logId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Processes it again: its row is replaced. The reply is the delivery with its new status. It is not kept for the `Idempotency-Key`: a repeated request is not executed again, and returns the delivery as it is then.
         */
        post: operations["replayCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the progress of the newest replay */
        get: operations["replayProgress"];
        put?: never;
        /**
         * Replay many deliveries
         * @description Processes all deliveries of a status since a time again, in the background. Those of a webhook without a table are only stored, and none is replayed. A webhook has one replay at a time: while an earlier one is not done, another one is refused, unless `replace` is true.
         */
        post: operations["replayCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/projects/{projectId}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables of a project
         * @description The newest first.
         */
        get: operations["listTables"];
        put?: never;
        /**
         * Create a table
         * @description A name that is taken gets `_2`, `_3` and so on.
         */
        post: operations["createTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/tables/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a table with its columns */
        get: operations["getTable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/tables/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a table
         * @description Waits until the deliveries that had been received are processed. A page may end before `limit`, because it has at most 8 MiB: continue at `next_offset`, which is `offset` plus the number received.
         */
        get: operations["listRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/webhooks/{id}/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the deliveries of a webhook
         * @description Server-sent events, one per delivery: `id` is its id, `data` the delivery as in the list. Starts with the next delivery, or after the one that `Last-Event-ID` names. While none comes, an `id` without `data` is sent every 15 s or so, to resume from if the connection breaks.
         */
        get: operations["streamCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/tables/{id}/rows.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a table as CSV
         * @description A line of column names, then all rows that had been received when it began, the oldest first. Text that a spreadsheet would run as a formula gets an apostrophe in front. An incomplete export ends with a connection error.
         */
        get: operations["exportCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/tables/{id}/rows.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a table as JSON
         * @description All rows that had been received when it began, the oldest first. An incomplete export ends with a connection error.
         */
        get: operations["exportJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List services, their state and their instances */
        get: operations["systemServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List JetStream streams and KV buckets with their sizes */
        get: operations["systemStreams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/read-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List read models and buckets: versions, state, lanes, lag, dead letters
         * @description Lanes and positions are those of the instance that answers.
         */
        get: operations["systemReadModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/read-models/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebuild a read model from the log
         * @description A new version is built beside the one that answers. A bucket is corrected in place. Answers at once; read the task at the address in `Location`. The same task, if one of the kind is running for the target.
         */
        post: operations["rebuildReadModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/read-models/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer from the previous version of a read model again */
        post: operations["rollBackReadModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/read-models/{name}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the stores of a read model and repair differences
         * @description Answers at once; read the task at the address in `Location`. The same task, if one of the kind is running for the target.
         */
        post: operations["verifyReadModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/services/{service}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebuild all read models of a service from the log
         * @description Answers at once; read the task at the address in `Location`. The same task, if one of the kind is running for the target.
         */
        post: operations["rebuildService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rebuilds and verifications, the newest first */
        get: operations["systemTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the progress or the result of a rebuild or verification */
        get: operations["systemTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events that could not be read, handled or applied
         * @description Without the data of the events, which may be what an agent remembers.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/dead-letters/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process an event again
         * @description Waits for the result, 120 s at most. The dead letter is removed if it succeeds. After 504 the retry goes on and the dead letter stays: retry it again when the work is done.
         */
        post: operations["retryDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/system/dead-letters/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue without an event
         * @description The dead letter is removed; the log keeps the event.
         */
        post: operations["discardDeadLetter"];
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
        BatchPutRequest: {
            /**
             * @description Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`.
             * @example travel-assistant
             */
            agent_id: string;
            items: components["schemas"]["MemoryItem"][];
            /** @description Document made up of the items, not `.` or `..`. See `mode`. */
            document_id?: string | null;
            /**
             * @description `replace`: the items are the new version of the document. `append`: the items are added at its end, in the order in which batches are accepted, and what it has stays; a document that does not exist is created.
             * @default replace
             * @enum {string}
             */
            mode?: "replace" | "append";
        };
        MemoryItem: {
            /**
             * @description Text to remember, as plain text
             * @example Ana moved to Lisbon last month.
             */
            content: string;
            /**
             * @description When it was said or happened; relative dates in the text, such as "yesterday", are counted from it. Default: now.
             * @example 2024-03-01T09:30:00+01:00
             */
            event_date?: string | null;
            /**
             * @description Origin of the item, at most 16 KiB in UTF-8
             * @example chat about holidays
             */
            context?: string | null;
            /** @description Who says it. Only what the `assistant` says can become experiences (`agent`) and opinions of the agent. Default: the text decides, by prefixes such as `assistant:`. */
            role?: ("user" | "assistant" | "system" | "tool") | null;
            metadata?: {
                [key: string]: (string | number | boolean | null) | string[];
            } | null;
            /**
             * @description False: no memory units are made of the item, and only the text of its document has it. For data that a program reads back, such as JSON.
             * @default true
             */
            extract?: boolean;
        };
        SearchRequest: {
            /**
             * @description Search query, at most 8 KiB in UTF-8
             * @example Where does Ana live?
             */
            query: string;
            /**
             * @description Fact types to search: any of `world`, `agent`, `opinion`; null or `[]` for all
             * @default null
             * @example [
             *       "world"
             *     ]
             */
            fact_type?: string[] | null;
            /**
             * @description Another name of `fact_type`; send one of them
             * @example [
             *       "world"
             *     ]
             */
            types?: ("world" | "agent" | "opinion")[] | null;
            /**
             * @description Name of the agent, chosen by you. Default: the agent that the key is bound to, else `default`.
             * @default default
             * @example travel-assistant
             */
            agent_id?: string;
            /**
             * @description Search several agents of the space, at most 8, instead of `agent_id`. Each is searched with the whole `thinking_budget`, up to 10,000 units together; the best of all are returned, with their `agent_id`. The response is not kept for an `Idempotency-Key`.
             * @example [
             *       "travel-assistant",
             *       "booking-assistant"
             *     ]
             */
            agent_ids?: string[] | null;
            /** @description Maximum number of results */
            limit?: number | null;
            /** @description Only memory units of this document */
            document_id?: string | null;
            /**
             * @description Only memory units with this `event_date` or a later one
             * @example 2024-03-01T00:00:00Z
             */
            since?: string | null;
            /**
             * @description Only memory units with an earlier `event_date`
             * @example 2024-04-01T00:00:00Z
             */
            until?: string | null;
            metadata?: {
                [key: string]: (string | number | boolean | null) | {
                    in: unknown[];
                } | {
                    exists: boolean;
                };
            } | null;
            /**
             * @description Maximum number of memory units to visit, and of results
             * @default 100
             */
            thinking_budget?: number;
            /**
             * @description Token budget (cl100k) for all texts; the results end before the first one that exceeds it
             * @default 4096
             */
            max_tokens?: number;
            /**
             * @description `none` keeps the fused order. `cross-encoder` orders the best 100 with the rerank model at `RERANK_URL`; if none is configured or it fails, the heuristic order is used, and the trace has the reason.
             * @default heuristic
             * @enum {string}
             */
            reranker?: "heuristic" | "none" | "cross-encoder";
            /**
             * @description Only results with at least this `score`; 0 for everything that the budgets allow. Default: what the question deserves, which is little or nothing if nothing stored has to do with it.
             * @default null
             */
            min_score?: number | null;
            /**
             * @description Include a trace of how the results were found
             * @default false
             */
            trace?: boolean;
            /**
             * @description When the question is asked. Default: now.
             * @default null
             * @example 2024-03-05
             */
            question_date?: string | null;
        };
        CorrectMemoryUnitRequest: {
            /**
             * @description The correct text, at most 8 KiB in UTF-8
             * @example Ana moved to Porto.
             */
            text: string;
            /**
             * @description The text that the unit has now. If it has another one, the response is 409 and nothing changes. Default: any.
             * @example Ana moved to Lisbon.
             */
            expected_text?: string | null;
        };
        CreateAgentRequest: {
            /** @description Kept if null or omitted */
            personality?: components["schemas"]["PersonalityTraits"] | null;
            /** @description Description of the agent, at most 64 KiB in UTF-8. Kept if null or omitted. */
            background?: string | null;
        };
        PersonalityTraits: {
            /** @description Openness to experience */
            openness: number;
            conscientiousness: number;
            extraversion: number;
            agreeableness: number;
            neuroticism: number;
            /** @description How strongly personality influences opinions */
            bias_strength: number;
        };
        UpdatePersonalityRequest: {
            personality: components["schemas"]["PersonalityTraits"];
        };
        ThinkRequest: {
            /**
             * @description The question, at most 8 KiB in UTF-8
             * @example Would Ana like a boat trip?
             */
            query: string;
            /**
             * @description Name of the agent, chosen by you. Default: the agent that the key is bound to, else `default`.
             * @default default
             * @example travel-assistant
             */
            agent_id?: string;
            /**
             * @description Maximum number of memory units to visit for each fact type
             * @default 50
             */
            thinking_budget?: number;
            /** @description Additional information for this answer */
            context?: string | null;
            /**
             * @description False: the answer and its opinions are not stored
             * @default true
             */
            store?: boolean;
            /**
             * @description When the question is asked. Default: now.
             * @default null
             * @example 2024-03-05
             */
            question_date?: string | null;
            /** @description Only memory units of this document */
            document_id?: string | null;
            /**
             * @description Only memory units with this `event_date` or a later one
             * @example 2024-03-01T00:00:00Z
             */
            since?: string | null;
            /**
             * @description Only memory units with an earlier `event_date`
             * @example 2024-04-01T00:00:00Z
             */
            until?: string | null;
            metadata?: {
                [key: string]: (string | number | boolean | null) | {
                    in: unknown[];
                } | {
                    exists: boolean;
                };
            } | null;
        };
        AddBackgroundRequest: {
            /**
             * @description Text to add, at most 64 KiB in UTF-8, which is also the limit of the merged text. It overrides contradicting statements of the present background.
             * @example I was born in Texas.
             */
            content: string;
            /**
             * @description Infer the Big Five traits from the merged background; the bias strength is kept
             * @default true
             */
            update_personality?: boolean;
            /**
             * @description Only return the result, and store nothing. To keep it, send it to `PUT /api/agents/{agent_id}`
             * @default false
             */
            preview?: boolean;
        };
        /**
         * @example {
         *       "name": "Research",
         *       "type": "team"
         *     }
         */
        CreateSpaceRequest: {
            name: string;
            /** @enum {string} */
            type: "personal" | "team";
        };
        /**
         * @example {
         *       "name": "Assistant",
         *       "space_id": 1
         *     }
         */
        CreateProjectRequest: {
            name: string;
            space_id: number;
        };
        /**
         * @description Without `scopes`: `["*"]`; without `rate_limit`: 1000. Other fields are ignored.
         * @example {
         *       "name": "Assistant in production",
         *       "project_id": 1,
         *       "scopes": [
         *         "memory:read"
         *       ],
         *       "expires_in_days": 90
         *     }
         */
        CreateApiKeyRequest: {
            name: string;
            /** @description The project in whose space the key works */
            project_id: number;
            scopes?: string[] | null;
            /** @description Greater than 0: the key expires after this number of days; otherwise it does not expire */
            expires_in_days?: number | null;
            rate_limit?: number | null;
            /** @description The only agent that the key may access; null: any agent of the space */
            agent_id?: (string | number) | null;
        };
        /**
         * @description Fields that are left out stay as they are. Other fields are ignored.
         * @example {
         *       "project_id": 1,
         *       "name": "Assistant in production",
         *       "rate_limit": 500
         *     }
         */
        UpdateApiKeyRequest: {
            /** @description The project in whose space the key works */
            project_id: number;
            name?: string | null;
            scopes?: string[] | null;
            /** @description False: the key is refused from the next request on */
            is_active?: boolean | null;
            rate_limit?: number | null;
        };
        /**
         * @example {
         *       "project_id": 1,
         *       "overlap_seconds": 3600
         *     }
         */
        RegenerateApiKeyRequest: {
            /** @description The project in whose space the key works */
            project_id: number;
            /**
             * @description How long the old key stays valid beside the new one; 0: it is refused from the next request on
             * @default 0
             */
            overlap_seconds?: number;
        };
        /**
         * @description One of the two
         * @example {
         *       "code": "the code of a sign-in link"
         *     }
         */
        SignInRequest: {
            /** @description From a sign-in link */
            code?: string;
            /** @description The token of a user, or an API key */
            credential?: string;
        };
        /**
         * @example {
         *       "name": "Orders",
         *       "createNewTable": true,
         *       "newTableName": "orders"
         *     }
         */
        CreateWebhookRequest: {
            name: string;
            /** @description A table of the same project that deliveries become rows of */
            tableId?: number | null;
            /** @description Create a table for it; takes precedence over `tableId` */
            createNewTable?: boolean | null;
            /** @description By default, and if blank, `webhook_` and a timestamp */
            newTableName?: string | null;
            verification?: {
                /** @enum {string} */
                type: "none" | "standard-webhooks" | "github" | "stripe" | "hmac-sha256";
                secret?: string | null;
            } | null;
            deduplicate?: boolean | null;
        };
        /**
         * @description Fields that are left out stay as they are.
         * @example {
         *       "name": "Orders",
         *       "isActive": true
         *     }
         */
        UpdateWebhookRequest: {
            name?: string | null;
            /** @description False: the next delivery gets 404 */
            isActive?: boolean | null;
            verification?: {
                /** @enum {string} */
                type: "none" | "standard-webhooks" | "github" | "stripe" | "hmac-sha256";
                secret?: string | null;
            } | null;
            deduplicate?: boolean | null;
        };
        /**
         * @example {
         *       "payload": {
         *         "order": {
         *           "id": 7,
         *           "total": 9.5
         *         }
         *       }
         *     }
         */
        TestWebhookRequest: {
            /** @description Any JSON, also `null`. Default: an example */
            payload?: unknown;
        };
        /**
         * @example {
         *       "since": "2024-03-01T00:00:00Z",
         *       "status": "error"
         *     }
         */
        ReplayCallsRequest: {
            /** @description Deliveries received at this time or later; all by default */
            since?: string | null;
            /**
             * @default error
             * @enum {string}
             */
            status?: "received" | "processed" | "error";
            /**
             * @description True: ends an earlier replay of the webhook that is not done; what it has not replayed yet stays as it is
             * @default false
             */
            replace?: boolean;
        };
        /**
         * @example {
         *       "name": "orders",
         *       "columns": [
         *         {
         *           "column_name": "total",
         *           "type": "number"
         *         }
         *       ]
         *     }
         */
        CreateTableRequest: {
            name: string;
            columns?: {
                column_name: string;
                display_name?: string | null;
                /** @enum {string} */
                type: "text" | "number" | "date" | "checkbox" | "url" | "email" | "longtext" | "multiselect" | "datetime";
            }[] | null;
        };
        BatchPutResponse: {
            success: boolean;
            message: string;
            agent_id: string;
            document_id: string | null;
            /** @description Number of items in the batch */
            items_count: number;
            /**
             * Format: uuid
             * @description Poll `/api/operations/{id}/status` with it
             */
            operation_id: string;
            /** @description The new memory units of each item, in the order of the items. A fact that only repeats a stored one has none. */
            items: components["schemas"]["StoredItem"][];
        };
        StoredItem: {
            units: components["schemas"]["CreatedMemoryUnit"][];
        };
        CreatedMemoryUnit: {
            id: string;
            /** @description Cut and ending in `…` if the response would become too large */
            text: string;
            /** @enum {string} */
            type: "world" | "agent" | "opinion";
        };
        /** @description An error (RFC 9457) */
        Problem: {
            /** @description URI of the problem type; `about:blank` for a plain HTTP status */
            type: string;
            /** @description The name of the HTTP status */
            title: string;
            status: number;
            /** @description Human-readable explanation, same as `message` */
            detail: string;
            /**
             * @description Stable error code for programs
             * @enum {string}
             */
            code: "BAD_REQUEST" | "UNAUTHENTICATED" | "SESSION_EXPIRED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "MISDIRECTED_REQUEST" | "RATE_LIMITED" | "UNAVAILABLE" | "READ_MODEL_BEHIND" | "REBUILDING" | "TIMEOUT" | "INTERNAL_ERROR" | "FETCH_ERROR" | "CREATE_ERROR" | "UPDATE_ERROR" | "DELETE_ERROR" | "WEBHOOK_ERROR";
            message: string;
            /** @description The `X-Request-Id` of this response, or, with `Idempotency-Replayed`, of the first one; include it when you ask for support */
            request_id: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The request does not match the schema */
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        ValidationError: {
            /**
             * @description `body`, `query` or `path`, followed by the path to the value
             * @example [
             *       "body",
             *       "items",
             *       0,
             *       "content"
             *     ]
             */
            loc: (string | number)[];
            /** @description Human-readable explanation */
            msg: string;
            /**
             * @description Stable error type for programs
             * @example missing
             */
            type: string;
        };
        BatchPutAsyncResponse: {
            success: boolean;
            message: string;
            agent_id: string;
            document_id: string | null;
            /** @description Number of items in the batch */
            items_count: number;
            /**
             * Format: uuid
             * @description Poll `/api/operations/{id}/status` with it
             */
            operation_id: string;
            queued: boolean;
        };
        SearchResponse: {
            results: components["schemas"]["SearchResult"][];
            trace: components["schemas"]["SearchTrace"] | null;
        };
        SearchResult: {
            id: string;
            text: string;
            type: ("world" | "agent" | "opinion") | null;
            /** @description 0 to 1 */
            activation: number | null;
            /** @description Cut to 2000 characters and an ellipsis; to fewer if there are more than 500 results */
            context: string | null;
            event_date: string | null;
            /** @description 0 to 1; results are sorted by it */
            score: number;
            /**
             * @description `low` if the text itself has little to do with the question, does not answer a question before it that has, and was found by what stands around it, or if it has another number in the place of one that the question names ("SUP-1101" instead of "SUP-1205") and answers no question about that one
             * @enum {string}
             */
            relevance?: "high" | "low";
            document_id: string | null;
            /** @description `Name (TYPE), ...` */
            entities: string;
            /** @description The metadata of the item, if it has any */
            metadata?: {
                [key: string]: (string | number | boolean | null) | string[];
            };
            /** @description Whose memory it is; only in a search with `agent_ids` */
            agent_id?: string;
        };
        SearchTrace: {
            query: string;
            num_results: number;
            time_seconds: number;
            /** @description Ranked ids by retrieval method */
            retrieval: {
                [key: string]: {
                    id: string;
                    score: number;
                }[];
            };
            entry_points: {
                id: string;
                score: number;
            }[];
            visits: {
                id: string;
                score: number;
            }[];
            /** @description The requested reranker, the one that was used, and the reason if they differ */
            reranker: {
                /** @enum {string} */
                asked: "heuristic" | "none" | "cross-encoder";
                /** @enum {string} */
                used: "heuristic" | "none" | "cross-encoder";
                reason: string | null;
            };
            pruned: {
                id: string;
                reason: string;
            }[];
            reranked: {
                id: string;
                score: number;
                parts: {
                    [key: string]: number;
                };
            }[];
            /** @description How long each part took, in the order in which they ended; some overlap */
            phases: {
                name: string;
                duration_seconds: number;
            }[];
            /** @description Left out in a search of several agents */
            picture?: components["schemas"]["SearchPicture"];
        } & {
            [key: string]: unknown;
        };
        /** @description What a picture of the search needs, bounded */
        SearchPicture: {
            /** @description The visited units with the greatest activation, 200 at most */
            units: {
                id: string;
                /** @enum {string} */
                by: "entry" | "neighbour" | "link";
                /** @enum {string} */
                type: "world" | "agent" | "opinion";
                /** @description Cut to 200 characters */
                text: string;
            }[];
            /** @description Of each result: which methods found it, or its passage; none if it was only reached */
            found_by: {
                id: string;
                methods: {
                    method: string;
                    rank: number;
                    score: number;
                }[];
            }[];
            /** @description How activation spread to `units`: by their own match and that of their passage, from the passages around, from the best passages of the document, over links. `added` is on the scale of `parts` in `reranked` */
            steps: {
                /** @enum {string} */
                name: "match" | "neighbours" | "documents" | "links";
                units: {
                    id: string;
                    added: number;
                    from: {
                        id: string;
                        /** @enum {string} */
                        type: "neighbour" | "document" | "semantic" | "entity" | "temporal";
                        amount: number;
                    }[];
                }[];
            }[];
            /** @description The order of units after each stage, the best 200 */
            stages: {
                /** @enum {string} */
                name: "activation" | "rerank" | "cross-encoder" | "results";
                ids: string[];
            }[];
            /** @description Whether all visited units are in `units` */
            is_complete: boolean;
        };
        ListResponse: {
            items: components["schemas"]["ListedMemoryUnit"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedMemoryUnit: {
            id: string;
            text: string;
            context: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            date: string;
            /** @enum {string} */
            fact_type: "world" | "agent" | "opinion";
            /** @description `Name (TYPE), ...` */
            entities: string;
            /** @description The metadata of the item, if it has any */
            metadata?: {
                [key: string]: (string | number | boolean | null) | string[];
            };
        };
        GraphResponse: {
            nodes: components["schemas"]["GraphNode"][];
            edges: components["schemas"]["GraphEdge"][];
            table_rows: components["schemas"]["GraphTableRow"][];
            /** @description Number of matching units, including those not shown */
            total_units: number;
        };
        GraphNode: {
            id: string;
            /** @description Cut and ending in `…` if the response would become too large */
            text: string;
            /** @description Cut to 500 characters */
            context: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            date: string;
            /** @description `Name (TYPE), ...` */
            entities: string;
            /** @description The first 30 characters of the text, followed by `...` if it is longer */
            label: string;
            /** @enum {string} */
            type: "world" | "agent" | "opinion";
            /**
             * @description `#4e79a7` for world, `#59a14f` for agent and `#e15759` for opinion units
             * @example #4e79a7
             */
            color: string;
            /** @description Same values in the format of Cytoscape */
            data: {
                id: string;
                /** @description Cut and ending in `…` if the response would become too large */
                text: string;
                /** @description Cut to 500 characters */
                context: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC with milliseconds
                 */
                date: string;
                /** @description `Name (TYPE), ...` */
                entities: string;
                /** @description The first 30 characters of the text, followed by `...` if it is longer */
                label: string;
                /** @enum {string} */
                type: "world" | "agent" | "opinion";
                /**
                 * @description `#4e79a7` for world, `#59a14f` for agent and `#e15759` for opinion units
                 * @example #4e79a7
                 */
                color: string;
            };
        };
        GraphEdge: {
            from: string;
            to: string;
            /** @description `temporal`, `semantic` or `entity` */
            type: string;
            /** @description 0 to 1 */
            weight: number;
            /**
             * @description `#00bcd4` for temporal, `#ff69b4` for semantic and `#ffd700` for entity links
             * @example #00bcd4
             */
            color: string;
            /**
             * @description `dashed` for temporal links, otherwise `solid`
             * @enum {string}
             */
            lineStyle: "solid" | "dashed";
            data: {
                id: string;
                source: string;
                target: string;
                linkType: string;
                weight: number;
                entityName: string | null;
                /**
                 * @description `#00bcd4` for temporal, `#ff69b4` for semantic and `#ffd700` for entity links
                 * @example #00bcd4
                 */
                color: string;
                /**
                 * @description `dashed` for temporal links, otherwise `solid`
                 * @enum {string}
                 */
                lineStyle: "solid" | "dashed";
            };
        };
        GraphTableRow: {
            id: string;
            /** @description Cut and ending in `…` if the response would become too large */
            text: string;
            /** @description Cut to 500 characters */
            context: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            date: string;
            /** @description `Name (TYPE), ...` */
            entities: string;
        };
        MemoryUnitResponse: {
            id: string;
            agent_id: string;
            text: string;
            /** @description Whole; lists and searches cut it to 2000 characters */
            context: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            date: string;
            /** @enum {string} */
            fact_type: "world" | "agent" | "opinion";
            entities: {
                name: string;
                /** @enum {string} */
                type: "PERSON" | "ORG" | "PLACE" | "PRODUCT" | "CONCEPT" | "OTHER";
            }[];
            /** @description Of an opinion, 0 to 1; null for facts */
            confidence: number | null;
            /** @description How often it was stored; repetitions of a fact are counted */
            mentions: number;
            document: {
                id: string;
                /** @description Index of the item that it was extracted from in the batch that stored it, from 0; see `origin` */
                item: number | null;
                /** @description Index among all facts of that batch, from 0 */
                fact: number;
            } | null;
            /** @description The strongest first */
            links: components["schemas"]["UnitLink"][];
            has_more_links: boolean;
            /** @description Null if the event is not in the log any more */
            origin: components["schemas"]["Origin"] | null;
            /** @description Former texts, the oldest first */
            history: components["schemas"]["FormerText"][];
            /** @description How an opinion was formed and revised, the oldest first; null for facts */
            opinion: components["schemas"]["OpinionChange"][] | null;
        };
        UnitLink: {
            /** @enum {string} */
            type: "temporal" | "semantic" | "entity";
            /**
             * @description `in`: from the other, older unit; `out`: to the other, newer unit
             * @enum {string}
             */
            direction: "in" | "out";
            /** @description 0 to 1 */
            weight: number;
            /** @description The entity that both mention, for entity links */
            entity: string | null;
            unit: {
                id: string;
                /** @description Cut to 500 characters */
                text: string;
            };
        };
        /** @description Where a memory unit comes from */
        Origin: {
            event: components["schemas"]["SourceEvent"];
            /** @description The `X-Request-Id` of the request that led to the event; null if the event does not say */
            request_id: string | null;
            /** @description Null if the request had no credentials, or the event does not say */
            principal: components["schemas"]["Principal"] | null;
            /** @description The batch that the unit was extracted from; null for an opinion formed by an answer */
            operation_id: string | null;
        };
        /** @description An event of the log */
        SourceEvent: {
            /** @example MEMORY */
            stream: string;
            sequence: number;
            id: string;
            /** @example FactsExtracted */
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            time: string;
        };
        /** @description Who sent the request */
        Principal: {
            /** @enum {string} */
            kind: "key" | "user";
            /** @description The id of the API key or the user */
            id: number;
        };
        FormerText: {
            text: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            until: string;
            /** @description The event that replaced the text */
            event: components["schemas"]["SourceEvent"];
            /** @description The `X-Request-Id` of the request that led to the event; null if the event does not say */
            request_id: string | null;
            /** @description Null if the request had no credentials, or the event does not say */
            principal: components["schemas"]["Principal"] | null;
        };
        OpinionChange: {
            /** @enum {string} */
            change: "formed" | "raise" | "lower" | "rewrite";
            event: components["schemas"]["SourceEvent"];
            /** @description 0 to 1; null if the opinion had none */
            confidence_before: number | null;
            /** @description 0 to 1 */
            confidence_after: number | null;
            /** @description The memory units that led to it; the text is null if the unit no longer exists */
            facts: {
                id: string;
                text: string | null;
            }[];
        };
        CorrectMemoryUnitResponse: {
            success: boolean;
            unit_id: string;
            agent_id: string;
            text: string;
            message: string;
        };
        DeleteMemoryUnitResponse: {
            success: boolean;
            unit_id: string;
            message: string;
        };
        OpinionHistoryResponse: {
            unit_id: string;
            agent_id: string;
            text: string;
            confidence: number | null;
            /** @description The oldest first */
            steps: components["schemas"]["OpinionStep"][];
            /** @description Whether there are older steps that are not shown */
            has_more: boolean;
        };
        OpinionStep: {
            /** Format: date-time */
            time: string;
            /**
             * @description `formed`: by an answer; `raise`, `lower`, `rewrite`: how the model weighed it against new facts; `corrected`: by a request
             * @enum {string}
             */
            reason: "formed" | "raise" | "lower" | "rewrite" | "corrected";
            /** @description From then on; null if the event is not in the log any more */
            text: string | null;
            /** @description From then on, 0 to 1 */
            confidence: number | null;
            /** @description The memory units that led to it; the text is null if the unit no longer exists */
            facts: {
                id: string;
                text: string | null;
            }[];
            event: components["schemas"]["SourceEvent"];
        };
        StatsResponse: {
            agent_id: string;
            total_nodes: number;
            total_links: number;
            total_documents: number;
            nodes_by_type: {
                [key: string]: number;
            };
            links_by_type: {
                [key: string]: number;
            };
            pending_operations: number;
            failed_operations: number;
        };
        ListDocumentsResponse: {
            items: components["schemas"]["ListedDocument"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedDocument: {
            id: string;
            agent_id: string;
            /** @description SHA-256 of the original text in hexadecimal; in lists null for a document that was appended to */
            content_hash: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            updated_at: string;
            memory_unit_count: number;
            /** @description Length of the original text in characters (code points) */
            text_length: number;
        };
        DocumentResponse: {
            id: string;
            agent_id: string;
            /** @description Empty with `text=false` */
            original_text: string;
            /** @description SHA-256 of the original text in hexadecimal; in lists null for a document that was appended to */
            content_hash: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            updated_at: string;
            memory_unit_count: number;
        };
        DeleteDocumentResponse: {
            success: boolean;
            document_id: string;
            agent_id: string;
            memory_units_deleted: number;
            message: string;
        };
        OperationListResponse: {
            agent_id: string;
            operations: components["schemas"]["ListedOperation"][];
        };
        ListedOperation: {
            id: string;
            /** @constant */
            task_type: "batch_put";
            items_count: number;
            document_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            created_at: string;
            /** @enum {string} */
            status: "pending" | "failed";
            error_message: string | null;
            attempts: number;
        };
        CancelOperationResponse: {
            success: boolean;
            message: string;
            operation_id: string;
            agent_id: string;
        };
        OperationStatusResponse: {
            id: string;
            agent_id: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            items_count: number;
            units_created: number;
            error_message: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC with milliseconds
             */
            updated_at: string;
        };
        AgentListResponse: {
            agents: components["schemas"]["AgentListItem"][];
            /** @description Number of agents on all pages */
            total: number;
            /** @description Send it as `cursor` to get the next page; null on the last page */
            next_cursor: string | null;
        };
        AgentListItem: {
            agent_id: string;
            personality: components["schemas"]["PersonalityTraits"];
            background: string;
            created_at: string | null;
            /** @description When its profile last changed, it was last given a batch, or it last answered a question */
            updated_at: string | null;
            /** @description Only with `counts=true` */
            memory_unit_count?: number;
            /** @description Only with `counts=true` */
            document_count?: number;
        };
        AgentProfileResponse: {
            agent_id: string;
            personality: components["schemas"]["PersonalityTraits"];
            background: string;
        };
        EraseAgentResponse: {
            success: boolean;
            agent_id: string;
            message: string;
            memory_units_deleted: number;
            links_deleted: number;
            documents_deleted: number;
            /** @description Batches in any state */
            operations_deleted: number;
            /** @description Messages overwritten in the event log */
            events_erased: number;
        };
        ThinkResponse: {
            /** @description The answer, in plain text */
            text: string;
            /** @description The facts given to the model, ordered by type: world, agent, opinion */
            based_on: components["schemas"]["ThinkFact"][];
            /** @description New opinions of the agent; they are stored and searchable */
            new_opinions: string[];
        };
        ThinkFact: {
            id: string | null;
            text: string;
            type: ("world" | "agent" | "opinion") | null;
            /** @description 0 to 1 */
            activation: number | null;
            context: string | null;
            /** Format: date-time */
            event_date: string | null;
            metadata?: {
                [key: string]: (string | number | boolean | null) | string[];
            };
        };
        BackgroundResponse: {
            /** @description The merged background, in the first person */
            background: string;
            /** @description Null if `update_personality` is false */
            personality: components["schemas"]["PersonalityTraits"] | null;
        };
        Me: {
            user_id: number;
            spaces: {
                id: number;
                name: string;
                /** @enum {string} */
                type: "personal" | "team";
                projects: {
                    id: number;
                    name: string;
                }[];
            }[];
        };
        Space: {
            id: number;
            name: string;
            /** @enum {string} */
            type: "personal" | "team";
            owner_id: number;
            /** Format: date-time */
            created_at: string;
        };
        Project: {
            id: number;
            name: string;
            space_id: number;
            /** Format: date-time */
            created_at: string;
        };
        ApiKey: {
            id: number;
            /** @description The first 7 characters of the key */
            key_prefix: string;
            name: string;
            scopes: string[];
            /** @description Requests per 60 s */
            rate_limit: number;
            expires_at: string | null;
            /** @description Requests accepted since the key was created or last regenerated; up to date within 5 s */
            request_count: number;
            last_used_at: string | null;
            is_active: boolean;
            created_at: string | null;
            agent_id: (string | number) | null;
            /** @description Who may change it */
            user_id: number | null;
            /**
             * Format: date-time
             * @description Until when the replaced key is valid beside this one; left out when it is not
             */
            old_key_valid_until?: string;
        };
        CreatedApiKey: {
            id: number;
            /** @description The first 7 characters of the key */
            key_prefix: string;
            name: string;
            scopes: string[];
            /** @description Requests per 60 s */
            rate_limit: number;
            expires_at: string | null;
            /** @description The whole key. It is not shown again. */
            key: string;
            /** Format: date-time */
            created_at: string;
            message: string;
        };
        UpdatedApiKey: {
            id: number;
            /** @description The first 7 characters of the key */
            key_prefix: string;
            name: string;
            scopes: string[];
            /** @description Requests per 60 s */
            rate_limit: number;
            expires_at: string | null;
            is_active: boolean;
            created_at: string | null;
        };
        ApiKeyRevoked: {
            message: string;
        };
        RegeneratedApiKey: {
            id: number;
            /** @description The first 7 characters of the key */
            key_prefix: string;
            name: string;
            scopes: string[];
            /** @description Requests per 60 s */
            rate_limit: number;
            expires_at: string | null;
            /** @description The whole key. It is not shown again. */
            key: string;
            /**
             * Format: date-time
             * @description Until when the replaced key is valid beside this one; left out when it is not
             */
            old_key_valid_until?: string;
            message: string;
        };
        ApiKeyUsage: {
            id: number;
            /** @enum {string} */
            bucket: "hour" | "day";
            /**
             * Format: date-time
             * @description The beginning of the first point
             */
            since: string;
            /** @description One for each hour or day in UTC, the oldest first, also those without requests */
            points: {
                /** Format: date-time */
                start: string;
                /** @description Accepted requests */
                requests: number;
                /** @description Requests beyond the rate limit */
                refused: number;
            }[];
        };
        Session: {
            /** @description Null: not signed in; requests are unauthenticated */
            signed_in_as: ("user" | "key") | null;
            user_id: number | null;
            /** @description Whether `/api/v3/system` may be used */
            is_operator: boolean;
            /** @description Of a session that was opened with an API key */
            key: {
                id: number;
                scopes: string[];
                agent_id: (string | number) | null;
            } | null;
            /** @description ISO 8601 in UTC; null without a session */
            expires_at: string | null;
            /** @description Whether the public space can be used without signing in */
            memory_is_open: boolean;
            /** @description Whether `/api/v3/session/provider` signs in */
            identity_provider: boolean;
        };
        SignedOut: {
            signed_out: boolean;
        };
        Caller: {
            /**
             * @description `public`: without credentials, where the memory area needs none
             * @enum {string}
             */
            kind: "user" | "key" | "public";
            /** @description The user, or the owner of the key */
            user_id: number | null;
            /** @description Whether `/api/v3/system` may be used */
            is_operator: boolean;
            /** @description The space whose memory requests like this one use; null: that of unauthenticated callers */
            space_id: number | null;
            /** @description Of a user; otherwise empty */
            spaces: {
                id: number;
                name: string;
                /** @enum {string} */
                type: "personal" | "team";
                projects: {
                    id: number;
                    name: string;
                }[];
            }[];
            /** @description Whether memory may be read */
            can_read: boolean;
            /** @description Whether memory may be changed */
            can_write: boolean;
            /** @description The only agent that the key may access; null: any of the space */
            agent_id: (string | number) | null;
            key: {
                id: number;
                scopes: string[];
                /** @description Requests per 60 s */
                rate_limit: number;
                /** Format: date-time */
                expires_at: string | null;
            } | null;
        };
        ListedWebhook: {
            id: number;
            project_id: number;
            table_id: number | null;
            name: string;
            /** @description Anyone who knows it can send deliveries. Empty if it cannot be decrypted, because `SECRETS_KEY` was lost */
            token: string;
            /** @description The first 8 characters of the token */
            token_prefix: string;
            is_active: 0 | 1;
            verification: {
                /** @enum {string} */
                type: "none" | "standard-webhooks" | "github" | "stripe" | "hmac-sha256";
            };
            deduplicate: boolean;
            created_by: number;
            /** Format: date-time */
            created_at: string;
            table_name: string | null;
            table_display_name: string | null;
            /** @description The 5 newest; fewer if the payloads of the whole list had more than 8 MiB */
            recentLogs: components["schemas"]["WebhookLog"][];
            totalCalls: number;
            lastTriggered: string | null;
            /** @description The URL for deliveries; empty if the token is */
            url: string;
        };
        WebhookLog: {
            id: number;
            webhook_id: number;
            /** @description The body, character for character as it came */
            payload: string;
            source_ip: string;
            /** @enum {string} */
            status: "received" | "processed" | "error";
            /** Format: date-time */
            created_at: string;
            processed_at: string | null;
            error_message: string | null;
        };
        CreatedWebhook: {
            id: number;
            project_id: number;
            table_id: number | null;
            name: string;
            /** @description Anyone who knows it can send deliveries. Empty if it cannot be decrypted, because `SECRETS_KEY` was lost */
            token: string;
            /** @description The first 8 characters of the token */
            token_prefix: string;
            is_active: 0 | 1;
            verification: {
                /** @enum {string} */
                type: "none" | "standard-webhooks" | "github" | "stripe" | "hmac-sha256";
            };
            deduplicate: boolean;
            created_by: number;
            /** Format: date-time */
            created_at: string;
            /** @description The URL for deliveries; empty if the token is */
            url: string;
        };
        Webhook: {
            id: number;
            project_id: number;
            table_id: number | null;
            name: string;
            /** @description Anyone who knows it can send deliveries. Empty if it cannot be decrypted, because `SECRETS_KEY` was lost */
            token: string;
            /** @description The first 8 characters of the token */
            token_prefix: string;
            is_active: 0 | 1;
            verification: {
                /** @enum {string} */
                type: "none" | "standard-webhooks" | "github" | "stripe" | "hmac-sha256";
            };
            deduplicate: boolean;
            created_by: number;
            /** Format: date-time */
            created_at: string;
        };
        WebhookLogs: {
            logs: components["schemas"]["WebhookLog"][];
            pagination: {
                total: number;
                limit: number;
                offset: number;
                /** @description The `offset` of the next page; null on the last page. A page may end before `limit` */
                next_offset?: number | null;
            };
        };
        Replay: {
            /** @description The number of deliveries to replay */
            calls: number;
            processed: number;
            failed: number;
            is_done: boolean;
            message: string;
        };
        Table: {
            id: number;
            project_id: number;
            name: string;
            display_name: string;
            columns: components["schemas"]["Column"][];
            row_count: number;
            /** Format: date-time */
            created_at: string;
        };
        Column: {
            column_name: string;
            display_name: string;
            /** @enum {string} */
            type: "text" | "number" | "date" | "checkbox" | "url" | "email" | "longtext" | "multiselect" | "datetime";
            order_index: number;
        };
        Rows: {
            rows: components["schemas"]["Row"][];
            total: number;
            limit: number;
            offset: number;
            /** @description The `offset` of the next page; null on the last page. A page may end before `limit` */
            next_offset?: number | null;
        };
        Row: {
            id: number;
            /** Format: date-time */
            created_at: string;
            /** @description By column name */
            values: {
                [key: string]: unknown;
            };
        };
        SystemServices: {
            services: components["schemas"]["SystemService"][];
        };
        SystemService: {
            name: string;
            /**
             * @description `degraded`: it answers, but not every request; `reason` says why. `unavailable`: no instance of it answers
             * @enum {string}
             */
            state: "ready" | "degraded" | "unavailable";
            reason: string | null;
            instances: components["schemas"]["ServiceInstance"][];
        };
        ServiceInstance: {
            id: string;
            version: string;
            /** Format: date-time */
            started_at: string;
            /** @description Requests over NATS that it has answered since its start */
            requests: number;
            /** @description Those of them that it refused or that failed */
            errors: number;
        };
        SystemStreams: {
            streams: components["schemas"]["SystemStream"][];
        };
        SystemStream: {
            name: string;
            /**
             * @description `bucket`: a NATS KV bucket; `other`: a JetStream stream that is not of Mneme
             * @enum {string}
             */
            kind: "events" | "dead-letters" | "bucket" | "other";
            messages: number;
            /** @description Size on the disk of one server */
            bytes: number;
            /** @description Its limit; null: none */
            max_bytes: number | null;
            first_sequence: number;
            last_sequence: number;
            /** @description Time of the first message; null: there is none */
            first_at: string | null;
            last_at: string | null;
            consumers: number;
            replicas: number;
        };
        SystemReadModels: {
            read_models: components["schemas"]["SystemReadModel"][];
            /** @description Services that did not answer; their read models are missing in this list */
            unavailable: {
                service: string;
                reason: string;
            }[];
        };
        SystemReadModel: {
            name: string;
            service: string;
            /** @description Why some requests cannot be answered; null: all can */
            reason: string | null;
            /** @description The one that answers first */
            versions: components["schemas"]["ReadModelVersion"][];
        };
        ReadModelVersion: {
            version: number;
            form: string;
            /** @enum {string} */
            state: "catching-up" | "live" | "failed" | "rebuilding" | "lost";
            reason: string | null;
            /** @description Of the lane that is furthest behind */
            position: number;
            /** @description Last sequence of the log */
            head: number;
            /** @description How long ago the oldest event was made that is not applied, in seconds */
            lag_seconds: number;
            dead_letters: number;
            lanes: components["schemas"]["Lane"][];
            /** @description The first 100 */
            deferred: components["schemas"]["DeferredAggregate"][];
        };
        Lane: {
            lane: number;
            /** @description Sequence of the last event that it has applied */
            position: number;
            /** @description How long ago the oldest event was made that it has not applied */
            lag_seconds: number;
            queued: number;
            failures_in_a_row: number;
            /** @description Why it cannot be written at the moment */
            reason: string | null;
            /** @description Aggregates that wait for an event which could not be applied */
            deferred: number;
        };
        DeferredAggregate: {
            /** @description What waits, such as an agent, by its subject in the log */
            aggregate: string;
            lane: number;
            /** @description Sequence of the event that could not be applied */
            from: number;
            /** @description Type of that event */
            type: string | null;
            /** @enum {string} */
            kind: "failed" | "unreadable" | "unknown-type";
            reason: string;
        };
        /** @description Work that takes long. The last task of each kind for each target is kept. */
        SystemTask: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "rebuild" | "verify";
            /** @description Name of a read model, or of a service whose read models are rebuilt */
            target: string;
            /** @enum {string} */
            target_kind: "read-model" | "service";
            /**
             * @description `interrupted`: the gateway that waited for the result has ended. A rebuild continues without it; see its read model. A verification has to be started again.
             * @enum {string}
             */
            state: "running" | "completed" | "failed" | "interrupted";
            /** @description Id of the operator */
            started_by: number;
            /** Format: date-time */
            started_at: string;
            finished_at: string | null;
            /** @description The versions that are being filled now, of the target */
            progress: {
                read_model: string;
                version: number;
                position: number;
                head: number;
            }[];
            /** @description Of a rebuild: versions and numbers of rows; of a verification: `checked`, and `repaired` by kind */
            result: {
                [key: string]: unknown;
            } | null;
            error: string | null;
        };
        ReadModelRolledBack: {
            name: string;
            /** @description The version that answers now */
            version: number;
        };
        SystemTasks: {
            tasks: components["schemas"]["SystemTask"][];
        };
        DeadLetters: {
            /** @description The oldest first */
            dead_letters: components["schemas"]["DeadLetter"][];
            total: number;
            next_cursor: string | null;
        };
        DeadLetter: {
            id: number;
            /** Format: date-time */
            failed_at: string;
            /**
             * @description Which consumer could not process the event: a handler, or a version of a read model
             * @example access@2
             */
            reader: string;
            /** @description The read model whose aggregate is deferred until this is resolved; null if a handler failed */
            read_model: string | null;
            /** @description The deferred aggregate; null if a handler failed */
            aggregate: string | null;
            /** @description Type of the event */
            type: string | null;
            subject: string;
            /**
             * @description Position of the event in the event log
             * @example MEMORY:42
             */
            position: string;
            reason: string;
        };
        DeadLetterSettled: {
            id: number;
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    putBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "travel-assistant",
                 *       "items": [
                 *         {
                 *           "content": "Ana moved to Lisbon last month.",
                 *           "event_date": "2024-03-01T09:30:00+01:00",
                 *           "context": "chat about holidays"
                 *         }
                 *       ],
                 *       "document_id": "meeting-2024-03-01"
                 *     }
                 */
                "application/json": components["schemas"]["BatchPutRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "agent_id": "travel-assistant",
                     *       "document_id": "meeting-2024-03-01",
                     *       "items_count": 1,
                     *       "message": "Successfully stored 1 memory items",
                     *       "operation_id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01",
                     *       "items": [
                     *         {
                     *           "units": [
                     *             {
                     *               "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *               "text": "Ana moved to Lisbon.",
                     *               "type": "world"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchPutResponse"];
                };
            };
        };
    };
    putBatchAsync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "travel-assistant",
                 *       "items": [
                 *         {
                 *           "content": "Ana moved to Lisbon last month.",
                 *           "event_date": "2024-03-01T09:30:00+01:00",
                 *           "context": "chat about holidays"
                 *         }
                 *       ],
                 *       "document_id": "meeting-2024-03-01"
                 *     }
                 */
                "application/json": components["schemas"]["BatchPutRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "agent_id": "travel-assistant",
                     *       "document_id": "meeting-2024-03-01",
                     *       "items_count": 1,
                     *       "message": "Batch put task queued for background processing (1 items)",
                     *       "queued": true,
                     *       "operation_id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01"
                     *     }
                     */
                    "application/json": components["schemas"]["BatchPutAsyncResponse"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "travel-assistant",
                 *       "query": "Where does Ana live?",
                 *       "fact_type": [
                 *         "world"
                 *       ],
                 *       "max_tokens": 1024
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *           "text": "Ana moved to Lisbon.",
                     *           "type": "world",
                     *           "activation": 0.58,
                     *           "context": "chat about holidays",
                     *           "event_date": "2024-03-01T08:30:00.000Z",
                     *           "score": 0.61,
                     *           "relevance": "high",
                     *           "document_id": "meeting-2024-03-01",
                     *           "entities": "Ana (PERSON), Lisbon (PLACE)"
                     *         }
                     *       ],
                     *       "trace": null
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
        };
    };
    listUnits: {
        parameters: {
            query?: {
                /** @description Only this agent. Default: all agents, or the agent that the key is bound to. */
                agent_id?: string;
                /** @description Only units of this type */
                fact_type?: "world" | "agent" | "opinion";
                /** @description Words that the text or context must contain, ignoring case and accents. Only the first words of a long context are searched, and only the first 64 characters of a word are compared. A `q` without a letter or digit matches nothing. */
                q?: string;
                /** @description Only units of this document, in their order in it */
                document_id?: string;
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *           "text": "Ana moved to Lisbon.",
                     *           "context": "chat about holidays",
                     *           "date": "2024-03-01T08:30:00.000Z",
                     *           "fact_type": "world",
                     *           "entities": "Ana (PERSON), Lisbon (PLACE)"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 100,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListResponse"];
                };
            };
        };
    };
    graph: {
        parameters: {
            query?: {
                /** @description Only this agent. Default: all agents, or the agent that the key is bound to. */
                agent_id?: string;
                /** @description Only units of this type */
                fact_type?: "world" | "agent" | "opinion";
                /** @description Maximum number of nodes, those with the newest `date` */
                limit?: number;
                /** @description Maximum number of edges, the strongest */
                edge_limit?: number;
                /** @description Only links of this kind */
                link_type?: "temporal" | "semantic" | "entity";
                /** @description Only units with this `date` or a later one */
                since?: string;
                /** @description Only units with an earlier `date` */
                until?: string;
                /** @description Only units that mention the entity of this name, as `entities` shows it: compared with case, and without other spellings of the same entity */
                entity?: string;
                /** @description Only units of this document */
                document_id?: string;
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
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *           "label": "Ana moved to Lisbon.",
                     *           "type": "world",
                     *           "text": "Ana moved to Lisbon.",
                     *           "context": "chat about holidays",
                     *           "date": "2024-03-01T08:30:00.000Z",
                     *           "entities": "Ana (PERSON), Lisbon (PLACE)",
                     *           "color": "#4e79a7",
                     *           "data": {
                     *             "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *             "label": "Ana moved to Lisbon.",
                     *             "type": "world",
                     *             "text": "Ana moved to Lisbon.",
                     *             "context": "chat about holidays",
                     *             "date": "2024-03-01T08:30:00.000Z",
                     *             "entities": "Ana (PERSON), Lisbon (PLACE)",
                     *             "color": "#4e79a7"
                     *           }
                     *         }
                     *       ],
                     *       "edges": [
                     *         {
                     *           "from": "9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60",
                     *           "to": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *           "type": "entity",
                     *           "weight": 0.5,
                     *           "color": "#ffd700",
                     *           "lineStyle": "solid",
                     *           "data": {
                     *             "id": "entity:9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60:3b241101-e2bb-5255-8caf-4136c566a962",
                     *             "source": "9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60",
                     *             "target": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *             "linkType": "entity",
                     *             "weight": 0.5,
                     *             "entityName": "Ana",
                     *             "color": "#ffd700",
                     *             "lineStyle": "solid"
                     *           }
                     *         }
                     *       ],
                     *       "table_rows": [
                     *         {
                     *           "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *           "text": "Ana moved to Lisbon.",
                     *           "context": "chat about holidays",
                     *           "date": "2024-03-01T08:30:00.000Z",
                     *           "entities": "Ana (PERSON), Lisbon (PLACE)"
                     *         }
                     *       ],
                     *       "total_units": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GraphResponse"];
                };
            };
        };
    };
    getUnit: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                unit_id: string;
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
                    /**
                     * @example {
                     *       "id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *       "agent_id": "travel-assistant",
                     *       "text": "Ana moved to Lisbon.",
                     *       "context": "chat about holidays",
                     *       "date": "2024-03-01T08:30:00.000Z",
                     *       "fact_type": "world",
                     *       "entities": [
                     *         {
                     *           "name": "Ana",
                     *           "type": "PERSON"
                     *         },
                     *         {
                     *           "name": "Lisbon",
                     *           "type": "PLACE"
                     *         }
                     *       ],
                     *       "confidence": null,
                     *       "mentions": 1,
                     *       "document": {
                     *         "id": "meeting-2024-03-01",
                     *         "item": 0,
                     *         "fact": 0
                     *       },
                     *       "links": [
                     *         {
                     *           "type": "entity",
                     *           "direction": "in",
                     *           "weight": 0.5,
                     *           "entity": "Ana",
                     *           "unit": {
                     *             "id": "9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60",
                     *             "text": "Ana likes the sea."
                     *           }
                     *         }
                     *       ],
                     *       "has_more_links": false,
                     *       "origin": {
                     *         "event": {
                     *           "stream": "MEMORY",
                     *           "sequence": 42,
                     *           "id": "0192f5c4-7d7a-7000-8000-0000000000aa",
                     *           "type": "FactsExtracted",
                     *           "time": "2024-03-01T09:30:05.120Z"
                     *         },
                     *         "request_id": "import-17",
                     *         "principal": {
                     *           "kind": "key",
                     *           "id": 12
                     *         },
                     *         "operation_id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01"
                     *       },
                     *       "history": [
                     *         {
                     *           "text": "Ana moved to Lissabon.",
                     *           "until": "2024-03-02T10:00:00.000Z",
                     *           "event": {
                     *             "stream": "MEMORY",
                     *             "sequence": 57,
                     *             "id": "0192fae1-0c00-7000-8000-0000000000ab",
                     *             "type": "UnitCorrected",
                     *             "time": "2024-03-02T10:00:00.000Z"
                     *           },
                     *           "request_id": "5f0c1d3e-9d0b-4d7c-8a55-0f6a4f3b2e11",
                     *           "principal": {
                     *             "kind": "user",
                     *             "id": 7
                     *           }
                     *         }
                     *       ],
                     *       "opinion": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryUnitResponse"];
                };
            };
        };
    };
    forgetUnit: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                unit_id: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "unit_id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *       "message": "Memory unit and all its links deleted successfully"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteMemoryUnitResponse"];
                };
            };
        };
    };
    correctUnit: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                unit_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Ana moved to Lisbon.",
                 *       "expected_text": "Ana moved to Lissabon."
                 *     }
                 */
                "application/json": components["schemas"]["CorrectMemoryUnitRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "unit_id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *       "agent_id": "travel-assistant",
                     *       "text": "Ana moved to Lisbon.",
                     *       "message": "Memory unit corrected"
                     *     }
                     */
                    "application/json": components["schemas"]["CorrectMemoryUnitResponse"];
                };
            };
        };
    };
    opinionHistory: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                unit_id: string;
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
                    /**
                     * @example {
                     *       "unit_id": "3b241101-e2bb-5255-8caf-4136c566a962",
                     *       "agent_id": "travel-assistant",
                     *       "text": "I think that Ana likes Lisbon.",
                     *       "confidence": 0.9,
                     *       "steps": [
                     *         {
                     *           "time": "2024-03-02T10:00:00.000Z",
                     *           "reason": "raise",
                     *           "text": "I think that Ana likes Lisbon.",
                     *           "confidence": 0.9,
                     *           "facts": [
                     *             {
                     *               "id": "9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60",
                     *               "text": "Ana likes the sea."
                     *             }
                     *           ],
                     *           "event": {
                     *             "stream": "MEMORY",
                     *             "sequence": 57,
                     *             "id": "0192f5c4-7d7a-7000-8000-0000000000aa",
                     *             "type": "OpinionRevised",
                     *             "time": "2024-03-02T10:00:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    "application/json": components["schemas"]["OpinionHistoryResponse"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
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
                    /**
                     * @example {
                     *       "agent_id": "travel-assistant",
                     *       "total_nodes": 3,
                     *       "total_links": 4,
                     *       "total_documents": 1,
                     *       "nodes_by_type": {
                     *         "world": 2,
                     *         "opinion": 1
                     *       },
                     *       "links_by_type": {
                     *         "temporal": 2,
                     *         "semantic": 1,
                     *         "entity": 1
                     *       },
                     *       "pending_operations": 0,
                     *       "failed_operations": 0
                     *     }
                     */
                    "application/json": components["schemas"]["StatsResponse"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
                /** @description Part of the document id, ignoring case */
                q?: string;
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "meeting-2024-03-01",
                     *           "agent_id": "travel-assistant",
                     *           "content_hash": "e0ac3601005dfa1864f5392aabaf7d898b1b5bab854f1acb4491bcd806b76b0c",
                     *           "created_at": "2024-03-01T09:30:05.120Z",
                     *           "updated_at": "2024-03-01T09:30:05.120Z",
                     *           "memory_unit_count": 1,
                     *           "text_length": 31
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 100,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListDocumentsResponse"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
                /** @description Whether to return the text; `false` is for large documents, of which you need the hash */
                text?: boolean;
            };
            header?: never;
            path: {
                /** @description Name of the document, chosen by you: 1 to 1024 characters. */
                document_id: string;
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
                    /**
                     * @example {
                     *       "id": "meeting-2024-03-01",
                     *       "agent_id": "travel-assistant",
                     *       "original_text": "Ana moved to Lisbon last month.",
                     *       "content_hash": "e0ac3601005dfa1864f5392aabaf7d898b1b5bab854f1acb4491bcd806b76b0c",
                     *       "created_at": "2024-03-01T09:30:05.120Z",
                     *       "updated_at": "2024-03-01T09:30:05.120Z",
                     *       "memory_unit_count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
            };
            header?: never;
            path: {
                /** @description Name of the document, chosen by you: 1 to 1024 characters. */
                document_id: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "document_id": "meeting-2024-03-01",
                     *       "agent_id": "travel-assistant",
                     *       "memory_units_deleted": 1,
                     *       "message": "Document and its 1 memory units deleted successfully"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteDocumentResponse"];
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
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
                    /**
                     * @example {
                     *       "agent_id": "travel-assistant",
                     *       "operations": [
                     *         {
                     *           "id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01",
                     *           "task_type": "batch_put",
                     *           "items_count": 1,
                     *           "document_id": "meeting-2024-03-01",
                     *           "created_at": "2024-03-01T09:30:05.120Z",
                     *           "status": "failed",
                     *           "error_message": "The language model refused the request",
                     *           "attempts": 5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OperationListResponse"];
                };
            };
        };
    };
    cancelOperation: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                operation_id: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Operation 0192f5c4-7d7a-7000-8000-3f1d2a6b9c01 cancelled",
                     *       "operation_id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01",
                     *       "agent_id": "travel-assistant"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelOperationResponse"];
                };
            };
        };
    };
    retryOperation: {
        parameters: {
            query?: {
                agent_id?: string;
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
                    /**
                     * @example {
                     *       "id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01",
                     *       "agent_id": "travel-assistant",
                     *       "status": "pending",
                     *       "items_count": 1,
                     *       "units_created": 0,
                     *       "error_message": null,
                     *       "created_at": "2024-03-01T09:30:05.120Z",
                     *       "updated_at": "2024-03-01T09:30:05.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OperationStatusResponse"];
                };
            };
        };
    };
    operationStatus: {
        parameters: {
            query?: {
                agent_id?: string;
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
                    /**
                     * @example {
                     *       "id": "0192f5c4-7d7a-7000-8000-3f1d2a6b9c01",
                     *       "agent_id": "travel-assistant",
                     *       "status": "completed",
                     *       "items_count": 1,
                     *       "units_created": 1,
                     *       "error_message": null,
                     *       "created_at": "2024-03-01T09:30:05.120Z",
                     *       "updated_at": "2024-03-01T09:30:05.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OperationStatusResponse"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Maximum number of agents */
                limit?: number;
                /** @description The `next_cursor` of the preceding page, with the same `prefix` and `q`. Default: the first page. */
                cursor?: string;
                /** @description Only agents whose `agent_id` starts with this text (case-sensitive) */
                prefix?: string;
                /** @description Only agents whose `agent_id` contains this text, ignoring case */
                q?: string;
                /** @description Whether to count the memory units and documents of each agent; a page then has at most 100 agents */
                counts?: boolean;
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
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "agent_id": "travel-assistant",
                     *           "personality": {
                     *             "openness": 0.5,
                     *             "conscientiousness": 0.5,
                     *             "extraversion": 0.5,
                     *             "agreeableness": 0.5,
                     *             "neuroticism": 0.5,
                     *             "bias_strength": 0.5
                     *           },
                     *           "background": "I plan journeys.",
                     *           "created_at": "2024-03-01T09:30:05.120Z",
                     *           "updated_at": "2024-03-01T09:30:05.120Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
        };
    };
    putAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "background": "I plan journeys."
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "travel-assistant",
                     *       "personality": {
                     *         "openness": 0.5,
                     *         "conscientiousness": 0.5,
                     *         "extraversion": 0.5,
                     *         "agreeableness": 0.5,
                     *         "neuroticism": 0.5,
                     *         "bias_strength": 0.5
                     *       },
                     *       "background": "I plan journeys."
                     *     }
                     */
                    "application/json": components["schemas"]["AgentProfileResponse"];
                };
            };
        };
    };
    eraseAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters. */
                agent_id: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "agent_id": "travel-assistant",
                     *       "message": "Agent and its 3 memory units erased",
                     *       "memory_units_deleted": 3,
                     *       "links_deleted": 4,
                     *       "documents_deleted": 1,
                     *       "operations_deleted": 2,
                     *       "events_erased": 9
                     *     }
                     */
                    "application/json": components["schemas"]["EraseAgentResponse"];
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`. */
                agent_id: string;
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
                    /**
                     * @example {
                     *       "agent_id": "travel-assistant",
                     *       "personality": {
                     *         "openness": 0.5,
                     *         "conscientiousness": 0.5,
                     *         "extraversion": 0.5,
                     *         "agreeableness": 0.5,
                     *         "neuroticism": 0.5,
                     *         "bias_strength": 0.5
                     *       },
                     *       "background": "I plan journeys."
                     *     }
                     */
                    "application/json": components["schemas"]["AgentProfileResponse"];
                };
            };
        };
    };
    putProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "personality": {
                 *         "openness": 0.8,
                 *         "conscientiousness": 0.5,
                 *         "extraversion": 0.5,
                 *         "agreeableness": 0.5,
                 *         "neuroticism": 0.5,
                 *         "bias_strength": 0.5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePersonalityRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "travel-assistant",
                     *       "personality": {
                     *         "openness": 0.8,
                     *         "conscientiousness": 0.5,
                     *         "extraversion": 0.5,
                     *         "agreeableness": 0.5,
                     *         "neuroticism": 0.5,
                     *         "bias_strength": 0.5
                     *       },
                     *       "background": "I plan journeys."
                     *     }
                     */
                    "application/json": components["schemas"]["AgentProfileResponse"];
                };
            };
        };
    };
    think: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "travel-assistant",
                 *       "query": "Would Ana like a boat trip?"
                 *     }
                 */
                "application/json": components["schemas"]["ThinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "text": "Yes: Ana likes the sea.",
                     *       "based_on": [
                     *         {
                     *           "id": "9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60",
                     *           "text": "Ana likes the sea.",
                     *           "type": "world",
                     *           "activation": 0.52,
                     *           "context": "chat about holidays",
                     *           "event_date": "2024-03-01T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "new_opinions": [
                     *         "I believe that Ana would enjoy a boat trip."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ThinkResponse"];
                };
            };
        };
    };
    addBackground: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent, chosen by you: 1 to 256 characters, and not `.` or `..`. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "You love the sea.",
                 *       "update_personality": true
                 *     }
                 */
                "application/json": components["schemas"]["AddBackgroundRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "background": "I plan journeys. I love the sea.",
                     *       "personality": {
                     *         "openness": 0.6,
                     *         "conscientiousness": 0.5,
                     *         "extraversion": 0.5,
                     *         "agreeableness": 0.5,
                     *         "neuroticism": 0.5,
                     *         "bias_strength": 0.5
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackgroundResponse"];
                };
            };
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
        };
    };
    listSpaces: {
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
                    "application/json": components["schemas"]["Space"][];
                };
            };
        };
    };
    createSpace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSpaceRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    listProjects: {
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
                    "application/json": components["schemas"]["Project"][];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
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
        };
    };
    listKeys: {
        parameters: {
            query: {
                project_id: number;
                /** @description Maximum number of keys */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
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
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query: {
                project_id: number;
            };
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["ApiKeyRevoked"];
                };
            };
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedApiKey"];
                };
            };
        };
    };
    regenerateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegenerateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegeneratedApiKey"];
                };
            };
        };
    };
    keyHistory: {
        parameters: {
            query: {
                project_id: number;
                bucket?: "hour" | "day";
                /** @description Where to begin. Default and earliest: 24 hours and 31 days ago by hour, 30 and 90 days ago by day */
                since?: string;
            };
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["ApiKeyUsage"];
                };
            };
        };
    };
    getSession: {
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
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signOut: {
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
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    caller: {
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
                    "application/json": components["schemas"]["Caller"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
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
                    "application/json": components["schemas"]["ListedWebhook"][];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
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
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
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
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Maximum number of deliveries */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Only deliveries of this status; all by default */
                status?: "received" | "processed" | "error";
            };
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["WebhookLogs"];
                };
            };
        };
    };
    replayCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                logId: number;
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
                    "application/json": components["schemas"]["WebhookLog"];
                };
            };
        };
    };
    replayProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    replayCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayCallsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    listTables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
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
                    "application/json": components["schemas"]["Table"][];
                };
            };
        };
    };
    createTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTableRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Table"];
                };
            };
        };
    };
    getTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["Table"];
                };
            };
        };
    };
    listRows: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description `desc`: the newest first */
                order?: "desc" | "asc";
            };
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["Rows"];
                };
            };
        };
    };
    streamCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "text/event-stream": string;
                };
            };
        };
    };
    exportCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "text/csv": string;
                };
            };
        };
    };
    exportJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["Row"][];
                };
            };
        };
    };
    systemServices: {
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
                    "application/json": components["schemas"]["SystemServices"];
                };
            };
        };
    };
    systemStreams: {
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
                    "application/json": components["schemas"]["SystemStreams"];
                };
            };
        };
    };
    systemReadModels: {
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
                    "application/json": components["schemas"]["SystemReadModels"];
                };
            };
        };
    };
    rebuildReadModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemTask"];
                };
            };
        };
    };
    rollBackReadModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
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
                    "application/json": components["schemas"]["ReadModelRolledBack"];
                };
            };
        };
    };
    verifyReadModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemTask"];
                };
            };
        };
    };
    rebuildService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service: "keys" | "webhook" | "memory";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemTask"];
                };
            };
        };
    };
    systemTasks: {
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
                    "application/json": components["schemas"]["SystemTasks"];
                };
            };
        };
    };
    systemTask: {
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
                    "application/json": components["schemas"]["SystemTask"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: number;
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
                    "application/json": components["schemas"]["DeadLetters"];
                };
            };
        };
    };
    retryDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["DeadLetterSettled"];
                };
            };
        };
    };
    discardDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
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
                    "application/json": components["schemas"]["DeadLetterSettled"];
                };
            };
        };
    };
}
