//! The table, printed line by line as numbers arrive.

use crate::report_figure::ReportFigure;

/// Collects missed targets while the table is printed.
#[derive(Debug, Default)]
pub(crate) struct BenchReport {
    missed: Vec<String>,
}

impl BenchReport {
    #[expect(clippy::print_stdout, reason = "the table is what the program is for")]
    pub(crate) fn heading(&mut self, text: &str) {
        println!("\n{text}");
    }

    #[expect(clippy::print_stdout, reason = "the table is what the program is for")]
    pub(crate) fn add(&mut self, figure: ReportFigure) {
        println!("  {figure}");
        if figure.is_missed() {
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
