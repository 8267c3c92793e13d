//! Fills a board with very many tasks by a few statements: the database creates the rows from a model.

use forge_domain::task::TaskSnapshot;
use forge_engine::Engine;
use forge_store::{SqlDialect, SqlStatement, StoreError, stmt};
use sha2::{Digest, Sha256};

use crate::bench_error::BenchError;

/// Rows of one transaction.
const BATCH: usize = 50_000;
/// The model's title, which each task replaces by its own words.
pub(crate) const TITLE: &str = "@title@";

/// Creates tasks like `model`, which is the first of its board, until there are `count`.
///
/// Their titles are made of few words, so that the entries of the full-text index can be assembled from parts: `n0`
/// to `n999` and `m0` to `m999` for the number, `dense` in one of 3, `middle` in one of 140, and `rare` in one of
/// 100,000 and in the second.
pub(crate) async fn fill(
    engine: &Engine,
    model: &TaskSnapshot,
    count: usize,
) -> Result<(), BenchError> {
    let db = engine.db();
    let snapshot = serde_json::to_string(model)?;
    let (id, number) = (format!("\"id\":\"{}\"", model.id), format!("\"number\":{}", model.number));
    for part in [id.as_str(), number.as_str(), TITLE] {
        if snapshot.matches(part).count() != 1 {
            return Err(
                format!("the model names {part} {} times", snapshot.matches(part).count()).into()
            );
        }
    }
    let postgres = db.dialect() == SqlDialect::Postgres;
    if postgres {
        prepare_terms(engine, model).await?;
    }
    for first in (2..=count).step_by(BATCH) {
        let last = count.min(first + BATCH - 1);
        let (first, last) = (i64::try_from(first)?, i64::try_from(last)?);
        let range = |text: &'static str| stmt(text).bind(first).bind(last);
        let tasks = range(if postgres { POSTGRES_TASKS } else { SQLITE_TASKS })
            .bind(model.id)
            .bind(&snapshot)
            .bind(&id)
            .bind(&number);
        let search = range(if postgres { POSTGRES_SEARCH } else { SQLITE_SEARCH });
        let search =
            search.bind(if postgres { model.project_id.to_string() } else { words(model) });
        let search = if postgres { search } else { search.bind(model.project_id) };
        execute(engine, vec![tasks, search]).await?;
    }
    let counter = stmt("UPDATE project_counters SET task_number = $2 WHERE project_id = $1");
    execute(engine, vec![counter.bind(model.project_id).bind(i64::try_from(count)?)]).await?;
    if postgres {
        let index = "CREATE INDEX task_search_terms ON task_search USING gin (terms) WITH (gin_pending_list_limit = 64)";
        execute(engine, vec![stmt(index), stmt("ANALYZE")]).await?;
    }
    Ok(())
}

async fn execute(engine: &Engine, statements: Vec<SqlStatement>) -> Result<(), StoreError> {
    let write = engine.db().write(move |tx| {
        let statements = statements.clone();
        Box::pin(async move {
            for statement in statements {
                tx.execute(statement).await?;
            }
            Ok(())
        })
    });
    write.await
}

/// The words of the model without its title, as the store writes them.
fn words(model: &TaskSnapshot) -> String {
    let lower = model.description.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

/// PostgreSQL: the terms of every word that a title can have, and of every block of numbers.
async fn prepare_terms(engine: &Engine, model: &TaskSnapshot) -> Result<(), BenchError> {
    let mut statements = vec![
        stmt("DROP INDEX task_search_terms"),
        stmt("CREATE TABLE bench_terms (word TEXT PRIMARY KEY, terms INTEGER[] NOT NULL)"),
    ];
    let numbered = (0..1000).flat_map(|n| [format!("n{n}"), format!("m{n}")]);
    let named = ["dense", "middle", "rare"].map(str::to_owned);
    for word in numbered.chain(named) {
        let ends = 1..=word.len();
        statements.push(entry(&word, ends.filter_map(|end| word.get(..end)).map(str::to_owned)));
    }
    let text = words(model);
    let beginnings = text.split(' ').flat_map(|word| {
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).take(16);
        ends.filter_map(|end| word.get(..end).map(str::to_owned)).collect::<Vec<_>>()
    });
    let project = format!("#{}", model.project_id);
    statements.push(entry("@model@", beginnings.chain([project])));
    Ok(execute(engine, statements).await?)
}

fn entry(word: &str, terms: impl Iterator<Item = String>) -> SqlStatement {
    let hash = |term: String| {
        let digest = Sha256::digest(term);
        digest
            .iter()
            .take(4)
            .fold(0, |number: i32, byte| number << 8 | i32::from(*byte))
            .to_string()
    };
    let mut terms: Vec<String> = terms.map(hash).collect();
    terms.sort_unstable();
    terms.dedup();
    let insert = stmt("INSERT INTO bench_terms (word, terms) VALUES ($1, CAST($2 AS INTEGER[]))");
    insert.bind(word).bind(format!("{{{}}}", terms.join(",")))
}

macro_rules! tasks {
    ($numbers:literal, $id:literal) => {
        concat!(
            $numbers,
            " INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency, version,
                                 agent_id, parent_id, archived, created_at, updated_at, related, related_stale, snapshot)
              SELECT ", $id, ", project_id, n, workflow, state, phase, standing, FALSE, kind, urgency, version,
                     agent_id, parent_id, archived, created_at + n, created_at + n * 7919 % 1000003, related,
                     related_stale,
                     REPLACE(REPLACE(REPLACE($4, $5, '\"id\":\"' || ", $id, " || '\"'), $6, '\"number\":' || n),
                             '@title@', 'n' || (n % 1000) || ' m' || (n / 1000 % 1000)
                                 || CASE WHEN n % 3 = 0 THEN ' dense' ELSE '' END
                                 || CASE WHEN n % 140 = 0 THEN ' middle' ELSE '' END
                                 || CASE WHEN n % 100000 = 2 THEN ' rare' ELSE '' END)
              FROM tasks CROSS JOIN numbers WHERE tasks.id = $3"
        )
    };
}

const SQLITE_TASKS: &str = tasks!(
    "WITH RECURSIVE numbers (n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)",
    "'00000000-0000-7000-8000-' || PRINTF('%012x', n)"
);
const POSTGRES_TASKS: &str = tasks!(
    "WITH numbers (n) AS (SELECT * FROM generate_series(CAST($1 AS BIGINT), CAST($2 AS BIGINT)))",
    "'00000000-0000-7000-8000-' || LPAD(TO_HEX(n), 12, '0')"
);
const SQLITE_SEARCH: &str = "
    WITH RECURSIVE numbers (n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
    INSERT INTO task_search (rowid, words)
    SELECT ordinal * 4294967296 + n, 'n' || (n % 1000) || ' m' || (n / 1000 % 1000)
           || CASE WHEN n % 3 = 0 THEN ' dense' ELSE '' END
           || CASE WHEN n % 140 = 0 THEN ' middle' ELSE '' END
           || CASE WHEN n % 100000 = 2 THEN ' rare' ELSE '' END || ' ' || $3
    FROM numbers CROSS JOIN projects WHERE projects.id = $4";
const POSTGRES_SEARCH: &str = "
    WITH numbers (n) AS (SELECT * FROM generate_series(CAST($1 AS BIGINT), CAST($2 AS BIGINT))),
    blocks (bits, block, term) AS (
        SELECT bits, block, ('x' || LEFT(ENCODE(SHA256(CONVERT_TO('#' || $3 || '.' || bits || '.' || block, 'UTF8')), 'hex'), 8))::bit(32)::integer
        FROM unnest(ARRAY[8, 12, 16]) AS bits CROSS JOIN LATERAL generate_series($1 >> bits, $2 >> bits) AS block),
    extras (kind, terms) AS (
        SELECT CASE word WHEN 'dense' THEN 1 WHEN 'middle' THEN 2 ELSE 3 END, terms FROM bench_terms
        WHERE word IN ('dense', 'middle', 'rare'))
    INSERT INTO task_search (place, terms)
    SELECT ordinal * 4294967296 + n,
           model.terms || first.terms || second.terms || small.term || medium.term || large.term
           || CASE WHEN n % 3 = 0 THEN (SELECT terms FROM extras WHERE kind = 1) END
           || CASE WHEN n % 140 = 0 THEN (SELECT terms FROM extras WHERE kind = 2) END
           || CASE WHEN n % 100000 = 2 THEN (SELECT terms FROM extras WHERE kind = 3) END
    FROM numbers
    JOIN projects ON projects.id = $3
    JOIN bench_terms AS model ON model.word = '@model@'
    JOIN bench_terms AS first ON first.word = 'n' || (n % 1000)
    JOIN bench_terms AS second ON second.word = 'm' || (n / 1000 % 1000)
    JOIN blocks AS small ON small.bits = 8 AND small.block = n >> 8
    JOIN blocks AS medium ON medium.bits = 12 AND medium.block = n >> 12
    JOIN blocks AS large ON large.bits = 16 AND large.block = n >> 16
    ORDER BY n";
