//! One text file of the project, and what its path says about it.

use std::path::Path;

/// The languages that rules distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceLanguage {
    /// Files ending in `.rs`.
    Rust,
    /// Files ending in `.ts` or `.tsx`.
    TypeScript,
    /// Every other text file.
    Other,
}

/// A text file: its path relative to the workspace root and its content.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: String,
    text: String,
}

impl SourceFile {
    /// A file with forward slashes in its relative path.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// The path relative to the workspace root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole content.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The last component of the path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The language by extension.
    pub fn language(&self) -> SourceLanguage {
        match Path::new(&self.path).extension().and_then(|extension| extension.to_str()) {
            Some("rs") => SourceLanguage::Rust,
            Some("ts" | "tsx") => SourceLanguage::TypeScript,
            _ => SourceLanguage::Other,
        }
    }

    /// Whether the path alone marks it as a test: a tests directory, or a web test's file name.
    pub fn is_test(&self) -> bool {
        let mut directories = self.path.split('/');
        directories.next_back();
        directories.any(|directory| matches!(directory, "tests" | "e2e" | "__tests__"))
            || self.file_name().contains(".test.")
            || self.file_name().contains(".spec.")
    }

    /// Whether it is in `crates/*/src`.
    pub fn is_crate_source(&self) -> bool {
        let mut components = self.path.split('/');
        components.next() == Some("crates") && components.nth(1) == Some("src")
    }

    /// Whether a program wrote it, such as the client generated from the OpenAPI snapshot.
    pub fn is_generated(&self) -> bool {
        self.path.split('/').any(|component| component == "generated")
            || matches!(self.file_name(), "schema.ts" | "schema.d.ts")
    }

    /// The lines with their one-based numbers.
    pub fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}
