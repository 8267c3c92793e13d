//! PostgreSQL for tests: the server of `FORGE_TEST_DATABASE_URL`, or a temporary cluster that one test run shares.
//!
//! nextest runs each test in its own process, so no test process owns the cluster: the first test of a run starts it
//! under a file lock, and later ones find its socket in a file. A small shell process (`keeper.sh`) watches the pids
//! of the tests and stops and removes the cluster two seconds after the last test process has ended, even if that was
//! killed. With plain `cargo test` the run is one process.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use forge_store::{DatabaseUrl, Db};
use nix::unistd::{Gid, Uid, User};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use tokio::sync::OnceCell;

/// Initial contents of a new database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialContents {
    /// The tables of this version.
    Tables,
    Nothing,
}

/// Created once per cluster with all migrations applied; copying it is faster than migrating.
const TEMPLATE: &str = "forge_template";
const SUPERUSER: &str = "forge";

#[derive(Clone, Debug)]
struct PostgresServer {
    options: PgConnectOptions,
    has_template: bool,
}

/// Creates a database, and returns its name and address.
pub async fn create_database(contents: InitialContents) -> (String, DatabaseUrl) {
    let server = server().await;
    let name = unique_name();
    // The name consists of hexadecimal digits and constants only.
    let template = match contents {
        InitialContents::Tables if server.has_template => format!(" TEMPLATE {TEMPLATE}"),
        _ => " TEMPLATE template0".to_owned(),
    };
    execute(&server.options, format!("CREATE DATABASE {name}{template}")).await;
    let url = url(&server.options, &name);
    (name, url)
}

/// The full address of a database made by [`create_database`], for another process.
pub async fn address_of(name: &str) -> String {
    server().await.options.clone().database(name).to_url_lossy().to_string()
}

/// Makes a database unreachable, as if its server were down: open connections are cut, new ones refused.
pub async fn refuse_connections(name: &str) {
    let server = server().await;
    execute(&server.options, format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")).await;
    let cut =
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    execute(&server.options, cut).await;
}

/// Makes the database reachable again.
pub async fn accept_connections(name: &str) {
    let server = server().await;
    execute(&server.options, format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")).await;
}

/// Drops a database made by [`create_database`], even with open connections.
pub async fn drop_database(name: &str) {
    let server = server().await;
    execute(&server.options, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
}

#[expect(
    clippy::disallowed_methods,
    reason = "the name of a test database is not an id, and the tests of a run share a server"
)]
fn unique_name() -> String {
    format!("forge_test_{}", uuid::Uuid::now_v7().simple())
}

fn url(options: &PgConnectOptions, database: &str) -> DatabaseUrl {
    let text = options.clone().database(database).to_url_lossy();
    text.as_str().parse().expect("the driver reads the addresses it writes")
}

async fn execute(options: &PgConnectOptions, statement: String) {
    let mut connection = PgConnection::connect_with(options)
        .await
        .expect("the PostgreSQL server for tests accepts connections");
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(&mut connection)
        .await
        .expect("the PostgreSQL server for tests obeys");
    connection.close().await.expect("the connection closes");
}

async fn server() -> &'static PostgresServer {
    static SERVER: OnceCell<PostgresServer> = OnceCell::const_new();
    SERVER
        .get_or_init(async || {
            #[expect(
                clippy::disallowed_methods,
                reason = "tests have no settings but the environment"
            )]
            let given = std::env::var("FORGE_TEST_DATABASE_URL").ok();
            match given {
                Some(url) => PostgresServer {
                    options: url.parse().expect("FORGE_TEST_DATABASE_URL is a postgres:// address"),
                    has_template: false,
                },
                None => PostgresServer { options: shared_cluster().await, has_template: true },
            }
        })
        .await
}

/// The directory through which the tests of one run share a cluster.
struct ClusterDirectory(PathBuf);

impl ClusterDirectory {
    #[expect(
        clippy::disallowed_methods,
        reason = "nextest passes the id of the run by the environment"
    )]
    fn for_this_run() -> Self {
        let run =
            std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| std::process::id().to_string());
        let name = format!("forge-tests-{}-{run}", Uid::effective());
        Self(std::env::temp_dir().join(name))
    }

    fn users(&self) -> PathBuf {
        self.0.join("users")
    }

    fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// Registers this process with the cluster reaper and locks the directory.
    fn register_and_lock(&self) -> io::Result<File> {
        make_private(&self.0)?;
        make_private(&self.users())?;
        let lock = File::create(self.0.join("lock"))?;
        lock.lock()?;
        fs::write(self.users().join(std::process::id().to_string()), "")?;
        Ok(lock)
    }
}

fn make_private(directory: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        other => return other,
    }
    let owner = fs::symlink_metadata(directory)?.uid();
    if owner == Uid::effective().as_raw() {
        return Ok(());
    }
    Err(io::Error::other(format!("{} belongs to another user", directory.display())))
}

async fn shared_cluster() -> PgConnectOptions {
    let meeting = ClusterDirectory::for_this_run();
    // The reaper may rename the directory at any step; then the next attempt creates a new one.
    for _ in 0..10 {
        let found = async {
            let _lock = meeting.register_and_lock()?;
            match fs::read_to_string(meeting.socket()) {
                Ok(socket) => Ok(options(Path::new(&socket))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let options = start_cluster(&meeting).await?;
                    fs::metadata(meeting.socket()).map(|_| options)
                }
                Err(error) => Err(error),
            }
        };
        match found.await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other.expect("a temporary PostgreSQL cluster starts"),
        }
    }
    panic!("the directory {} cannot be made", meeting.0.display());
}

fn options(socket: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .username(SUPERUSER)
        .database("postgres")
        .ssl_mode(PgSslMode::Disable)
}

async fn start_cluster(meeting: &ClusterDirectory) -> io::Result<PgConnectOptions> {
    let account = ServerAccount::for_server();
    let cluster = tempfile::Builder::new().prefix("forge-pg-").tempdir()?.keep();
    fs::set_permissions(&cluster, fs::Permissions::from_mode(0o700))?;
    chown(&cluster, Some(account.uid.as_raw()), Some(account.gid.as_raw()))?;
    start_reaper(meeting, &cluster)?;

    let data = cluster.join("data");
    account.run("initdb", &cluster, |initdb| {
        initdb.arg("-D").arg(&data).args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8"]);
        initdb.args(["--locale=C", "--no-sync"]);
    })?;
    let socket = cluster.to_string_lossy().replace('\'', "''");
    let settings = format!(
        "\nlisten_addresses = ''\nunix_socket_directories = '{socket}'\nmax_connections = 400\n\
         fsync = off\nfull_page_writes = off\nsynchronous_commit = off\nshared_buffers = 32MB\n"
    );
    let written = fs::read_to_string(data.join("postgresql.conf"))? + &settings;
    fs::write(data.join("postgresql.conf"), written)?;
    account.run("pg_ctl", &cluster, |pg_ctl| {
        pg_ctl.arg("-D").arg(&data).arg("-l").arg(cluster.join("log"));
        pg_ctl.args(["-w", "-t", "60", "start"]);
    })?;

    let options = options(&cluster);
    execute(&options, format!("CREATE DATABASE {TEMPLATE} TEMPLATE template0")).await;
    let template =
        Db::open(&url(&options, TEMPLATE)).await.expect("the migrations of this version apply");
    template.close().await;
    // Written last: it tells the other tests that the cluster is ready.
    fs::write(meeting.socket(), cluster.to_string_lossy().as_bytes())?;
    Ok(options)
}

/// Starts the reaper before the cluster, so that no cluster can be left behind.
fn start_reaper(meeting: &ClusterDirectory, cluster: &Path) -> io::Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "it must outlive this process, which forge-proc prevents"
    )]
    Command::new("sh")
        .args(["-c", include_str!("keeper.sh"), "forge-pg-keeper"])
        .arg(meeting.users())
        .arg(cluster)
        .arg(&meeting.0)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map(drop)
}

/// The account that runs the server: PostgreSQL refuses to run as root.
struct ServerAccount {
    uid: Uid,
    gid: Gid,
    switch: bool,
}

impl ServerAccount {
    fn for_server() -> Self {
        if !Uid::effective().is_root() {
            return Self { uid: Uid::effective(), gid: Gid::effective(), switch: false };
        }
        let user = ["postgres", "nobody"]
            .into_iter()
            .find_map(|name| User::from_name(name).ok().flatten())
            .expect("root needs an account `postgres` or `nobody` for the PostgreSQL of the tests");
        Self { uid: user.uid, gid: user.gid, switch: true }
    }

    fn run(
        &self,
        program: &str,
        cluster: &Path,
        arguments: impl FnOnce(&mut Command),
    ) -> io::Result<()> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the server must outlive this process, which forge-proc prevents"
        )]
        let mut command = Command::new(find_program(program));
        arguments(&mut command);
        let log = File::create(cluster.join(format!("{program}.log")))?;
        command
            .current_dir(cluster)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0);
        if self.switch {
            command.uid(self.uid.as_raw()).gid(self.gid.as_raw());
        }
        let status = command.status()?;
        if status.success() {
            return Ok(());
        }
        let said = fs::read_to_string(cluster.join(format!("{program}.log"))).unwrap_or_default();
        Err(io::Error::other(format!("{program} ended with {status}: {said}")))
    }
}

/// Searches the PATH, then Debian's directories for each version; the newest version wins.
fn find_program(program: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the PATH is what a person's shell would search")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = debian
        .filter_map(|entry| {
            Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin")))
        })
        .collect();
    versions.sort();
    std::env::split_paths(&path)
        .chain(versions.into_iter().rev().map(|(_, directory)| directory))
        .map(|directory| directory.join(program))
        .find(|candidate| candidate.is_file())
        .unwrap_or_else(|| {
            panic!("{program} was not found: install the PostgreSQL server, or set FORGE_TEST_DATABASE_URL")
        })
}
