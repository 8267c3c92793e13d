/// Git takes such a line, after its sign for comments, for the end of a message: trailers are looked for before it.
const CUT: &str = "------------------------ >8 ------------------------";

/// The same words, in which no line cuts a commit's message off: what is put after them is what git reads at its end.
pub fn uncut(words: &str) -> String {
    let words = words.replace('\0', " ");
    let lines = words.split('\n').map(|line| match line.trim_end().ends_with(CUT) {
        true => format!(" {line}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_6_only_a_line_that_would_cut_the_message_off_is_moved() {
        let words = format!("one\n# {CUT}\r\n; {CUT}\n\n>8 two\n");
        assert_eq!(uncut(&words), format!("one\n # {CUT}\r\n ; {CUT}\n\n>8 two\n"));
    }
}
