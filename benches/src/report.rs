//! The table, line by line as numbers come in.

use crate::figure::Figure;

/// What was printed so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    missed: Vec<String>,
}

impl Report {
    #[expect(clippy::print_stdout, reason = "the table is what the program is for")]
    pub(crate) fn heading(&mut self, text: &str) {
        println!("\n{text}");
    }

    #[expect(clippy::print_stdout, reason = "the table is what the program is for")]
    pub(crate) fn add(&mut self, figure: Figure) {
        println!("  {figure}");
        if figure.failed() {
            self.missed.push(figure.name);
        }
    }

    /// Whether every target was met.
    #[expect(clippy::print_stdout, reason = "the table is what the program is for")]
    pub(crate) fn close(self) -> bool {
        match self.missed.as_slice() {
            [] => println!("\nevery target is met"),
            missed => println!("\nmissed: {}", missed.join(", ")),
        }
        self.missed.is_empty()
    }
}
