//! What the runs of one program under several schedules showed.

use corpus::Kind;
use interp::Stop;

/// The runs of one program at one level.
#[derive(Debug)]
pub struct Seen {
    pub kind: Kind,
    /// The program and its level.
    pub name: String,
    /// A run found what the program is there for.
    pub found: bool,
    /// Reports, and those of them that are on marked lines only.
    pub reports: usize,
    pub exact: usize,
    pub runs: u64,
    /// What is wrong.
    pub complaints: Vec<String>,
}

impl Seen {
    pub fn new(kind: Kind, name: String, runs: u64) -> Seen {
        Seen { kind, name, found: false, reports: 0, exact: 0, runs, complaints: Vec::new() }
    }
}

/// Lines of both accesses of a report: where the stack is, and where the earlier one was.
pub fn lines(stop: &Stop) -> Vec<usize> {
    let Some(report) = stop.report() else { return Vec::new() };
    let earlier = report.notes.iter().find(|note| note.text.ends_with("here") && !note.text.ends_with("created here"));
    let places = report.stack.first().into_iter().chain(earlier);
    places.filter_map(|place| place.source.as_ref()).map(|source| source.line as usize).collect()
}
