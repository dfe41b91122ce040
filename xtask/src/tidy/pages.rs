//! Rules for pages: prose has lines that fit beside each other.

use super::Finding;

/// The widest a line may be, in characters.
const WIDEST: usize = 120;

/// Lines of prose that are too wide; tables, headings, code and addresses may be.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let (mut findings, mut in_code) = (Vec::new(), false);
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        if start.starts_with("```") {
            in_code = !in_code;
        }
        let width = line.chars().count();
        let one_word = !start.trim_start_matches(['-', '*', '>', ' ']).contains(' ');
        if width > WIDEST && !in_code && !start.starts_with(['|', '#', '<', '[']) && !one_word {
            findings.push(Finding::new(path, index + 1, format!("{width} characters; a line has at most {WIDEST}")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_not_wide() {
        let wide = "a ".repeat(70);
        assert_eq!(check("docs/a.md", &wide).len(), 1);
        let fine = format!("| {wide} |\n# {wide}\n```text\n{wide}\n```\n- {}\n", "a".repeat(130));
        assert_eq!(check("docs/a.md", &fine), []);
        assert_eq!(check("docs/a.md", &format!("```\nf();\n```\n{wide}\n")).len(), 1);
    }
}
