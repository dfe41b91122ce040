//! Relative links of the Markdown pages: the file must exist, and so must the heading after a `#`.

use super::Finding;

/// Checks the pages, given as path and text; `exists` answers for a path relative to the workspace.
pub fn check(pages: &[(String, String)], exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in pages {
        for (line, target) in links(text) {
            if let Some(message) = problem(path, &target, pages, exists) {
                findings.push(Finding::new(path, line, message));
            }
        }
    }
    findings
}

/// What is wrong with one link, if anything.
fn problem(page: &str, target: &str, pages: &[(String, String)], exists: &dyn Fn(&str) -> bool) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { resolve(page, file) };
    if !exists(&path) {
        return Some(format!("link to `{target}`: no such file"));
    }
    let (_, text) = pages.iter().find(|(name, _)| *name == path)?;
    if heading.is_empty() || headings(text).iter().any(|known| known == heading) {
        return None;
    }
    Some(format!("link to `{target}`: no such heading"))
}

/// The path that a link of a page leads to, relative to the workspace.
fn resolve(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The lines of a page that are not inside a fenced block, each with its number, and without `code spans`.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return None;
        }
        if fenced {
            return None;
        }
        let outside = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        Some((index + 1, outside))
    })
}

/// The targets of the inline links of a page.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let mut rest = line.as_str();
        while let Some(start) = rest.find("](") {
            rest = &rest[start + 2..];
            let Some(end) = rest.find(')') else { break };
            let target = rest[..end].split_whitespace().next().unwrap_or("");
            found.push((number, target.to_owned()));
            rest = &rest[end..];
        }
    }
    found
}

/// The anchors of a page's headings: lower case, punctuation dropped, spaces as hyphens.
fn headings(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced || !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let pages = vec![
            ("docs/a.md".to_owned(), text.to_owned()),
            ("docs/b.md".to_owned(), "# The `b` page\n## Exit codes, all\n".to_owned()),
        ];
        let exists = |path: &str| ["docs/a.md", "docs/b.md", "README.md"].contains(&path);
        check(&pages, &exists).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn good_links_pass() {
        let text = "# A\n[b](b.md) [c](b.md#exit-codes-all) [d](../README.md) [e](#a) [f](https://example.org/x)\n\
                    [g](b.md#the-b-page)\n";
        assert_eq!(findings(text), [""; 0]);
    }

    #[test]
    fn missing_files_and_headings_are_found() {
        assert_eq!(findings("\n[b](c.md)\n"), ["docs/a.md:2: link to `c.md`: no such file"]);
        assert_eq!(findings("[b](b.md#gone)\n"), ["docs/a.md:1: link to `b.md#gone`: no such heading"]);
        assert_eq!(findings("[x](#nowhere)\n").len(), 1);
        assert_eq!(findings("[x](b.md), [y](../docs/../gone.md)\n").len(), 1);
    }

    #[test]
    fn code_is_not_prose() {
        assert_eq!(findings("`a[0](x)`\n```c\nf[1](y);\n```\n"), [""; 0]);
    }
}
