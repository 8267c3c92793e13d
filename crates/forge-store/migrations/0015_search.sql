-- The words of tasks, for searching (T-2, D-4). A row's place is the ordinal of its project and the number of its task in one:
-- the rows of a project lie next to each other in the order of its tasks, so a page of hits is read in the order of the
-- list and no further. The text itself is not stored again; what an index cannot tell is compared with the task.
-- sqlite:
-- A prefix index for each length: without it every task with a word that begins so is read before the first is found.
-- The words come split and in lower case; `ascii` takes every character beyond ASCII as part of a word.
CREATE VIRTUAL TABLE task_search USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii',
    prefix = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16'
);
INSERT INTO task_search (rowid, words)
SELECT projects.ordinal * 4294967296 + tasks.number, task_words.words
FROM task_words
JOIN tasks ON tasks.id = task_words.task_id
JOIN projects ON projects.id = tasks.project_id
ORDER BY 1;
DROP TABLE task_words_search;
-- postgres:
-- `terms` are hashes: of every beginning of every word, of the project, and of three sizes of blocks of task numbers. A
-- beginning and a block together are found by skipping along both, however many tasks have either. The list of pending
-- entries, which every search reads whole, is kept short.
CREATE TABLE task_search (
    place BIGINT PRIMARY KEY,
    terms INTEGER[] NOT NULL
);
INSERT INTO task_search (place, terms)
SELECT projects.ordinal * 4294967296 + tasks.number,
       ARRAY(SELECT ('x' || left(encode(sha256(convert_to(term, 'UTF8')), 'hex'), 8))::bit(32)::integer
             FROM (SELECT left(word, size) AS term
                   FROM unnest(string_to_array(task_words.words, ' ')) AS word
                   CROSS JOIN generate_series(1, 16) AS size
                   WHERE size <= length(word)
                   UNION SELECT '#' || tasks.project_id
                   UNION SELECT '#' || tasks.project_id || '.' || bits || '.' || (tasks.number >> bits)
                   FROM unnest(ARRAY[8, 12, 16]) AS bits) AS terms)
FROM task_words
JOIN tasks ON tasks.id = task_words.task_id
JOIN projects ON projects.id = tasks.project_id;
CREATE INDEX task_search_terms ON task_search USING gin (terms) WITH (gin_pending_list_limit = 64);
-- both:
DROP TABLE task_words;
