//! One text file of the tree, and what its path says about it.

use std::path::Path;

/// The languages that rules tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `.rs`
    Rust,
    /// `.ts` and `.tsx`
    TypeScript,
    /// Everything else that is text.
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
    pub fn language(&self) -> Language {
        match Path::new(&self.path).extension().and_then(|extension| extension.to_str()) {
            Some("rs") => Language::Rust,
            Some("ts" | "tsx") => Language::TypeScript,
            _ => Language::Other,
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

    /// Whether a program wrote it, such as the client made from the OpenAPI snapshot.
    pub fn is_generated(&self) -> bool {
        self.path.split('/').any(|component| component == "generated")
            || matches!(self.file_name(), "schema.ts" | "schema.d.ts")
    }

    /// One-based numbers with their lines.
    pub fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}
