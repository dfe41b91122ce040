//! A race in words: both accesses with their calls, where the threads were created, the object, and the schedule.

use super::cells::{Conflict, Kind};
use super::{Actor, Mode, Races};
use crate::grid;
use crate::outcome::{Fault, Location, UbKind};

/// How many callers of the earlier access are told.
const CALLERS: usize = 8;

fn name(actor: Actor) -> String {
    match actor {
        Actor::Thread(0) => "the main thread".to_owned(),
        Actor::Thread(thread) => format!("thread {thread}"),
        Actor::Task => "a task".to_owned(),
        Actor::Nobody => "somebody".to_owned(),
        Actor::Lane(block, thread) => grid::lane_name(block, thread),
    }
}

fn verb(kind: Kind) -> &'static str {
    match (kind.write, kind.atomic) {
        (true, false) => "writes",
        (false, false) => "reads",
        (true, true) => "atomically writes",
        (false, true) => "atomically reads",
    }
}

fn past(kind: Kind) -> &'static str {
    match (kind.write, kind.atomic) {
        (true, false) => "wrote",
        (false, false) => "read",
        (true, true) => "atomically wrote",
        (false, true) => "atomically read",
    }
}

/// The object of a race.
#[derive(Clone, Copy, Debug)]
pub struct Raced<'a> {
    /// In words, with an article.
    pub what: &'a str,
    /// First byte of the access.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Where it was made.
    pub made: Option<Location>,
    /// Does the present access end the object?
    pub ends: bool,
}

impl Races {
    /// The fault of a conflict with the present access.
    #[cold]
    pub fn fault(&self, conflict: &Conflict, write: bool, raced: Raced<'_>) -> Box<Fault> {
        let kind = Kind { write, atomic: self.mode == Mode::Atomic };
        let who = |number: usize| self.threads.get(number).map_or_else(String::new, |t| name(t.actor));
        let (me, mut other) = (who(self.current), who(conflict.record.epoch.thread()));
        if me == other {
            other = format!("another {}", other.trim_start_matches("a "));
        }
        let Raced { what, offset, size, made, ends } = raced;
        let text = if ends {
            format!(
                "a data race: {me} ends the life of {what} that {other} {}, and nothing orders the two",
                past(conflict.kind)
            )
        } else {
            let verb = verb(kind);
            let past = past(conflict.kind);
            format!(
                "a data race: {me} {verb} {size} bytes at offset {offset} of {what} that {other} {past}, and nothing \
                 orders the two (schedule of seed {})",
                self.seed
            )
        };
        let mut fault = Fault::ub(UbKind::Race, text);
        for (depth, at) in self.stack(conflict.record.site).into_iter().take(CALLERS).enumerate() {
            let text =
                if depth == 0 { format!("{other} {} here", past(conflict.kind)) } else { "called here".to_owned() };
            fault = fault.note(text, Some(at));
        }
        if made.is_some() {
            fault = fault.note("the object was created here", made);
        }
        for thread in [self.current, conflict.record.epoch.thread()] {
            let created = self.threads.get(thread).and_then(|t| t.created);
            if created.is_some() {
                fault = fault.note(format!("{} was created here", who(thread)), created);
            }
        }
        fault
    }
}
