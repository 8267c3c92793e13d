//! Writes the documents that are generated from the code. `make generate` runs it.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::write(docs.join("openapi.json"), forge_server::openapi::openapi_json())?;
    fs::write(docs.join("SETTINGS.md"), forge_server::settings::markdown())
}
