use crate::migration::SchemaMigration;
use crate::statement::stmt;
use crate::store_error::{MigrationError, StoreError};
use crate::tx::Tx;

struct AppliedMigration {
    number: i64,
    name: String,
    checksum: String,
    writer: String,
}

/// Migrates the tables inside the given transaction, which must be the only one that migrates.
pub(crate) async fn apply(tx: &mut Tx, migrations: &[SchemaMigration]) -> Result<(), StoreError> {
    tx.execute(stmt(
        "CREATE TABLE IF NOT EXISTS schema_migrations (
            number   BIGINT PRIMARY KEY,
            name     TEXT NOT NULL,
            checksum TEXT NOT NULL,
            writer   TEXT NOT NULL
        )",
    ))
    .await?;
    let applied = load_applied(tx).await?;
    for migration in pending(migrations, &applied)? {
        run(tx, migration).await?;
    }
    Ok(())
}

/// SQLite: checks the foreign keys, which are off during the migration.
pub(crate) async fn check_references(tx: &mut Tx) -> Result<(), StoreError> {
    match tx.fetch_optional(stmt("PRAGMA foreign_key_check")).await? {
        None => Ok(()),
        Some(row) => Err(MigrationError::DanglingRows { table: row.get("table")? }.into()),
    }
}

async fn load_applied(tx: &mut Tx) -> Result<Vec<AppliedMigration>, StoreError> {
    let query =
        stmt("SELECT number, name, checksum, writer FROM schema_migrations ORDER BY number");
    let rows = tx.fetch_all(query).await?;
    rows.iter()
        .map(|row| {
            Ok(AppliedMigration {
                number: row.get("number")?,
                name: row.get("name")?,
                checksum: row.get("checksum")?,
                writer: row.get("writer")?,
            })
        })
        .collect()
}

/// The migrations that have not been applied. The known migrations must begin with the applied ones.
fn pending<'m>(
    known: &'m [SchemaMigration],
    applied: &[AppliedMigration],
) -> Result<&'m [SchemaMigration], MigrationError> {
    let supported = known.last().map_or(0, |migration| migration.number);
    if let Some(newest) = applied.last()
        && newest.number > supported
    {
        return Err(MigrationError::Newer {
            database: newest.number,
            supported,
            writer: newest.writer.clone(),
        });
    }
    for (migration, applied) in known.iter().zip(applied) {
        if migration.number != applied.number || migration.checksum() != applied.checksum {
            return Err(MigrationError::Changed {
                number: applied.number,
                name: applied.name.clone(),
            });
        }
    }
    Ok(known.get(applied.len()..).unwrap_or_default())
}

async fn run(tx: &mut Tx, migration: &SchemaMigration) -> Result<(), StoreError> {
    tx.batch(migration.text(tx.dialect())).await.map_err(|error| MigrationError::Failed {
        number: migration.number,
        name: migration.name.to_owned(),
        detail: error.to_string(),
    })?;
    tx.execute(
        stmt("INSERT INTO schema_migrations (number, name, checksum, writer) VALUES ($1, $2, $3, $4)")
            .bind(migration.number)
            .bind(migration.name)
            .bind(migration.checksum())
            .bind(env!("CARGO_PKG_VERSION")),
    )
    .await?;
    tracing::info!(number = migration.number, name = migration.name, "migrated the database");
    Ok(())
}
