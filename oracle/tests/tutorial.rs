//! The pages are true: each program of `docs/tutorial.md` gives the report that the page shows, and the programs of
//! `README.md` are what it says they are.

use std::path::Path;

/// The fenced blocks of a page, in order: language and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

#[test]
fn every_program_gives_the_report_that_the_page_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tutorial.md");
    let page = std::fs::read_to_string(path).expect("the tutorial");
    let blocks = blocks(&page);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut checked = 0;
    for pair in blocks.windows(2) {
        let [(program_kind, program), (report_kind, shown)] = pair else { continue };
        if (program_kind.as_str(), report_kind.as_str()) != ("c", "text") {
            continue;
        }
        let name = program.lines().next().and_then(|line| line.strip_prefix("// ")).expect("the name of the program");
        let file = folder.path().join(name);
        std::fs::write(&file, program).expect("a file");
        let report = adjudicate::check(&file).run().expect("a report").to_string();
        let report = report.replace(&format!("{}/", folder.path().display()), "");
        assert_eq!(report.trim_end(), shown.trim_end(), "the report of {name}");
        checked += 1;
    }
    assert_eq!(checked, 3, "programs with a report");
    assert_eq!(blocks.len(), 2 * checked, "blocks of the page");
}

#[test]
fn the_programs_of_the_front_page_are_correct() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let page = std::fs::read_to_string(path).expect("the front page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("example.c");
    let mut checked = 0;
    for (_, program) in blocks(&page).into_iter().filter(|(language, _)| language == "c") {
        // The page leaves the line out where it would only repeat itself.
        let include = if program.contains("#include") { "" } else { "#include \"adj.h\"\n" };
        std::fs::write(&file, format!("{include}{program}")).expect("a file");
        adjudicate::check(&file).run().expect("a report").assert_correct();
        checked += 1;
    }
    assert_eq!(checked, 2, "programs of the page");
}
