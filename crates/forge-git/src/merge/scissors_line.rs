/// Git's scissors line. After a comment character it ends a commit message, and git looks for trailers only before
/// it.
const SCISSORS_LINE: &str = "------------------------ >8 ------------------------";

/// Indents scissors lines, so that git reads the whole message and finds trailers that are appended to it.
pub fn indent_scissors_lines(words: &str) -> String {
    let words = words.replace('\0', " ");
    let lines = words.split('\n').map(|line| match line.trim_end().ends_with(SCISSORS_LINE) {
        true => format!(" {line}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_6_only_scissors_lines_are_indented() {
        let words = format!("one\n# {SCISSORS_LINE}\r\n; {SCISSORS_LINE}\n\n>8 two\n");
        assert_eq!(
            indent_scissors_lines(&words),
            format!("one\n # {SCISSORS_LINE}\r\n ; {SCISSORS_LINE}\n\n>8 two\n")
        );
    }
}
