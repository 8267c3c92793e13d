//! Selects the web pages to embed: `web/dist` if it was built, else a page that says how to build it.

use std::path::PathBuf;
use std::{env, fs, io};

const PLACEHOLDER: &str = include_str!("assets/placeholder.html");

fn main() -> io::Result<()> {
    let manifest_dir = PathBuf::from(of_cargo("CARGO_MANIFEST_DIR")?);
    let built = manifest_dir.join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/placeholder.html");
    // Cargo treats a missing path as changed and would rebuild this crate each time. Until the pages are built, watch
    // their sources, if there are any.
    let watched = [built.clone(), manifest_dir.join("../../web")];
    if let Some(watched) = watched.iter().find(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let embedded = if built.join("index.html").is_file() {
        built.canonicalize()?
    } else {
        let placeholder = PathBuf::from(of_cargo("OUT_DIR")?).join("web");
        fs::create_dir_all(&placeholder)?;
        fs::write(placeholder.join("index.html"), PLACEHOLDER)?;
        placeholder
    };
    println!("cargo::rustc-env=FORGE_WEB_DIR={}", embedded.display());
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "cargo speaks to a build script through the environment only"
)]
fn of_cargo(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("cargo did not set {name}: {error}")))
}
