//! SPEC §7.1 and S-7: flags > environment > `forge.toml`; every setting in one table.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use forge_server::settings::{
    LogFormat, ServerSettings, SettingDefault, SettingsError, TABLE, markdown,
};
use tempfile::TempDir;

fn load(
    flags: &[(&str, &str)],
    environment: &[(&str, &str)],
) -> Result<ServerSettings, SettingsError> {
    let flags = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let environment =
        environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    ServerSettings::load(flags, environment)
}

/// A home directory with this settings file.
fn home(settings: &str) -> TempDir {
    let home = TempDir::new().expect("a directory");
    let directory = home.path().join(".config/forge");
    fs::create_dir_all(&directory).expect("made");
    fs::write(directory.join("forge.toml"), settings).expect("written");
    home
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn s_7_defaults_need_only_a_home() {
    let settings = load(&[], &[("HOME", "/ann")]).expect("usable");
    assert_eq!(settings.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.data_dir, PathBuf::from("/ann/.local/share/forge"));
    let root = PathBuf::from("/ann/.local/share/forge/workspaces");
    assert_eq!(settings.workspace_root, root);
    let database = "sqlite:/ann/.local/share/forge/forge.db";
    assert_eq!(settings.database_url.expose(), database);
    assert_eq!(settings.workspace_cleanup_delay_seconds, 86_400);
    assert_eq!(settings.port_range, 42_000..=42_999);
    assert_eq!(settings.log_format, LogFormat::Text);
    assert_eq!(settings.bootstrap_token, None);
    assert_eq!(settings.limits().body_bytes, 1_048_576);
    let elsewhere = load(&[], &[("HOME", "/ann"), ("XDG_DATA_HOME", "/data")]);
    assert_eq!(elsewhere.expect("usable").data_dir, PathBuf::from("/data/forge"));
}

#[test]
fn s_7_flags_win_over_the_environment_and_that_over_the_file() {
    let home = home(
        "bind = \"127.0.0.1:1\"\nlog_level = \"warn\"\nmax_body_bytes = 5\npublic_hosts = [\"a\", \"b\"]\n",
    );
    let environment = [
        ("HOME", text(home.path())),
        ("FORGE_BIND", "127.0.0.1:2"),
        ("FORGE_LOG_LEVEL", "debug"),
        ("FORGE_PUBLIC_HOSTS", ""),
    ];
    let settings = load(&[("bind", "127.0.0.1:3")], &environment).expect("usable");
    assert_eq!(settings.bind.port(), 3);
    assert_eq!(settings.log_level, "debug");
    assert_eq!(settings.max_body_bytes, 5);
    assert_eq!(settings.public_hosts, ["a", "b"]);
}

#[test]
fn s_7_all_mistakes_are_reported_at_once_with_their_source() {
    let home =
        home("bnid = 1\nmax_body_bytes = \"5\"\nbootstrap_token = \"x\"\n[workflow]\na = 1\n");
    let environment = [
        ("HOME", text(home.path())),
        ("FORGE_SHUTDOWN_GRACE_SECONDS", "-1"),
        ("FORGE_BOOTSTRAP_TOKEN", "short"),
        ("FORGE_PUBLIC_HOSTS", "https://forge.example"),
        ("FORGE_TASK_ID", "not ours"),
    ];
    let refused = load(&[("bind", "8080"), ("log_format", "xml")], &environment);
    let refused = refused.expect_err("mistakes");
    let mut places: Vec<_> = refused
        .problems
        .iter()
        .map(|problem| problem.place.split(' ').next().unwrap_or_default())
        .collect();
    places.sort_unstable();
    let expected = [
        "--bind",
        "--log-format",
        "FORGE_BOOTSTRAP_TOKEN",
        "FORGE_PUBLIC_HOSTS",
        "FORGE_SHUTDOWN_GRACE_SECONDS",
        "bnid",
        "bootstrap_token",
        "max_body_bytes",
        "workflow",
    ];
    assert_eq!(places, expected);
    let message = refused.to_string();
    assert!(message.contains("forge.toml") && !message.contains("short"), "{message}");
}

#[test]
fn s_7_a_named_file_must_exist_but_the_default_one_need_not() {
    let home = TempDir::new().expect("a directory");
    let environment = [("HOME", text(home.path()))];
    assert!(load(&[], &environment).is_ok());
    let named = home.path().join("my.toml");
    let refused = load(&[("config", text(&named))], &environment).expect_err("not there");
    assert!(refused.to_string().contains("my.toml: cannot be read"), "{refused}");
    fs::write(&named, "bind = [").expect("written");
    let refused = load(&[("config", text(&named))], &environment).expect_err("not TOML");
    assert!(refused.to_string().contains("is not TOML"), "{refused}");
}

#[test]
fn s_7_secrets_are_no_flags_and_not_in_debug_output() {
    for secret in ["database_url", "bootstrap_token"] {
        let row = TABLE.iter().find(|setting| setting.name == secret).expect("a row");
        assert_eq!(row.flag(), None, "{secret}");
        assert!(load(&[(secret, "x")], &[("HOME", "/h")]).is_err(), "{secret}");
    }
    let environment = [
        ("HOME", "/h"),
        ("FORGE_DATABASE_URL", "postgres://forge:hunter2@db/forge"),
        ("FORGE_BOOTSTRAP_TOKEN", "fg_0123456789abcdef"),
    ];
    let debug = format!("{:?}", load(&[], &environment).expect("usable"));
    assert!(!debug.contains("hunter2") && !debug.contains("fg_0123"), "{debug}");
}

#[test]
fn s_7_flag_variable_and_key_are_derived_from_one_name() {
    for setting in TABLE {
        // M-15 defines the name of this variable.
        let prefix = if setting.name == "github_token" { "" } else { "FORGE_" };
        assert_eq!(setting.variable(), format!("{prefix}{}", setting.name.to_uppercase()));
        if let Some(flag) = setting.flag() {
            assert_eq!(flag, format!("--{}", setting.name.replace('_', "-")));
        }
    }
}

#[test]
fn s_7_the_documented_table_is_the_one_in_the_code() {
    let documented = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SETTINGS.md");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("SETTINGS.md");
    fs::write(&made, markdown()).expect("written");
    let committed = fs::read_to_string(documented).unwrap_or_default();
    assert!(
        committed == markdown(),
        "docs/SETTINGS.md is not current; cp {} docs/SETTINGS.md",
        made.display()
    );
}

/// Giving a setting its documented default changes nothing.
#[test]
fn issue_14_the_documented_default_is_the_real_one() {
    let defaults = load(&[], &[("HOME", "/ann")]).expect("usable");
    let mut tried = 0;
    for setting in TABLE {
        let documented = match setting.default {
            SettingDefault::Fixed(text) => text,
            SettingDefault::Computed(_) | SettingDefault::Empty => continue,
        };
        let row = markdown();
        let row = row.lines().find(|row| row.starts_with(&format!("| {} |", setting.name)));
        let row = row.unwrap_or_else(|| panic!("no row for {}", setting.name));
        assert!(row.contains(&format!("| `{documented}` |")), "{row}");
        let variable = setting.variable();
        let given = load(&[], &[("HOME", "/ann"), (&variable, documented)]);
        assert_eq!(given.as_ref(), Ok(&defaults), "{}", setting.name);
        tried += 1;
    }
    assert!(tried > 25, "{tried}");
    let ann = |path: &str| PathBuf::from(format!("/ann/{path}"));
    assert_eq!(defaults.config, Some(ann(".config/forge/forge.toml")));
    assert_eq!(defaults.data_dir, ann(".local/share/forge"));
    assert_eq!(defaults.workspace_root, defaults.data_dir.join("workspaces"));
}

#[test]
fn w_13_a_range_of_ports_has_a_first_and_a_last() {
    let range = |text: &str| load(&[], &[("HOME", "/ann"), ("FORGE_PORT_RANGE", text)]);
    assert_eq!(range("5000-5000").expect("one port").port_range, 5000..=5000);
    for wrong in ["5000", "6000-5000", "80-90", "5000-70000", "a-b", "-"] {
        let refused = range(wrong).expect_err(wrong);
        assert!(refused.to_string().contains("FORGE_PORT_RANGE"), "{wrong}: {refused}");
    }
}
