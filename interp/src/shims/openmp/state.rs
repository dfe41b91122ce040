//! The state of OpenMP: teams, the places of threads in them, loops and tasks.

use crate::limits::Controls;
use crate::outcome::Location;
use crate::value::Pointer;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A team of threads that execute a parallel region.
#[derive(Clone, Debug, Default)]
pub(super) struct Team {
    /// Threads by their number in the team.
    pub(super) threads: Vec<usize>,
    /// The team that it was forked in, and the number of its master there.
    pub(super) parent: Option<(usize, usize)>,
    /// It is a league: its threads are each the initial thread of a team of their own.
    pub(super) league: bool,
    /// How many regions are around it, itself included.
    pub(super) level: usize,
    /// Those of more than one thread.
    pub(super) active_level: usize,
    /// Workers that have executed the region.
    pub(super) done: usize,
    /// Arrivals at the present barrier.
    pub(super) arrived: usize,
    /// Barriers passed.
    pub(super) round: u64,
    /// Work-sharing loops by their number in the region.
    pub(super) loops: BTreeMap<u64, Loop>,
    /// Loops whose iterations wait for each other, by their number in the region.
    pub(super) doacross: BTreeMap<u64, Doacross>,
    /// `single` regions taken.
    pub(super) singles: u64,
    /// Where `copyprivate` copies from.
    pub(super) copy: Pointer,
    /// Tasks that can be executed.
    pub(super) queue: VecDeque<usize>,
    /// Explicit tasks that are not over.
    pub(super) unfinished: usize,
    /// Actors of tasks that are over.
    pub(super) over: Vec<usize>,
}

/// A thread's place in a team.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    /// The team.
    pub(super) team: usize,
    /// Its number there.
    pub(super) number: usize,
    /// Work-sharing loops met.
    pub(super) loops: u64,
    /// Loops met whose iterations wait for each other.
    pub(super) doacross: u64,
    /// `single` regions met.
    pub(super) singles: u64,
    /// The loop being executed, with what this thread has of it.
    pub(super) share: Share,
    /// The task being executed; the implicit one if nothing else.
    pub(super) task: usize,
    /// Explicit tasks that this thread has begun for a call in that frame, with the task it goes on with.
    pub(super) begun: Vec<Begun>,
}

/// A task that a thread executes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// Frames below it.
    pub(super) depth: usize,
    /// The task.
    pub(super) task: usize,
    /// The one that it interrupts.
    pub(super) before: usize,
    /// The actor that the thread was.
    pub(super) actor: usize,
}

/// The state of OpenMP.
#[derive(Clone, Debug)]
pub struct OpenMp {
    pub(super) teams: Vec<Team>,
    /// By thread: its places, the innermost last.
    pub(super) members: Vec<Vec<Member>>,
    pub(super) tasks: Vec<Task>,
    /// Workers without work.
    pub(super) idle: Vec<usize>,
    /// Per thread: cells with its global number and zero, for the outlined functions.
    pub(super) cells: Vec<Option<(Pointer, Pointer)>>,
    /// By thread: members of the team of its next region, where its clause says so.
    pub(super) pushed: BTreeMap<usize, usize>,
    /// By thread: teams of its next league, where its clause says so.
    pub(super) pushed_teams: BTreeMap<usize, usize>,
    /// What calls set for later regions.
    pub(crate) controls: Controls,
    /// Iterations that have told that they are done.
    pub(super) posts: u64,
    /// Owners of locks and critical sections by address: thread, and how often.
    pub(super) locks: BTreeMap<u64, (usize, u32)>,
    /// Objects of tasks that hold things with destructors.
    pub(super) destroyed: BTreeSet<u64>,
    /// Those of final tasks.
    pub(super) last_ones: BTreeSet<u64>,
    /// Copies of thread-private variables: by variable and thread.
    pub(super) private: BTreeMap<(u64, usize), Pointer>,
}

impl OpenMp {
    /// No region yet.
    pub fn new(controls: Controls) -> OpenMp {
        OpenMp {
            teams: Vec::new(),
            members: Vec::new(),
            tasks: Vec::new(),
            idle: Vec::new(),
            cells: Vec::new(),
            pushed: BTreeMap::new(),
            pushed_teams: BTreeMap::new(),
            controls,
            posts: 0,
            locks: BTreeMap::new(),
            destroyed: BTreeSet::new(),
            last_ones: BTreeSet::new(),
            private: BTreeMap::new(),
        }
    }

    /// A place in a team for a thread.
    pub(super) fn enter(&mut self, thread: usize, team: usize, number: usize, task: usize) {
        if self.members.len() <= thread {
            self.members.resize(thread + 1, Vec::new());
        }
        self.members[thread].push(Member { team, number, task, ..Member::default() });
    }

    /// The thread's place, made for the initial thread when first asked for.
    pub(super) fn member(&mut self, thread: usize) -> &mut Member {
        if self.members.get(thread).is_none_or(Vec::is_empty) {
            let (team, task) = (self.teams.len(), self.tasks.len());
            self.teams.push(Team { threads: vec![thread], ..Team::default() });
            self.tasks.push(Task::default());
            self.enter(thread, team, 0, task);
        }
        let last = self.members[thread].len() - 1;
        &mut self.members[thread][last]
    }

    /// The thread's team.
    pub(super) fn team(&mut self, thread: usize) -> &mut Team {
        let team = self.member(thread).team;
        &mut self.teams[team]
    }
}

/// A loop whose chunks are handed out.
#[derive(Clone, Debug, Default)]
pub(super) struct Loop {
    /// Iterations.
    pub(super) trips: u64,
    /// The first one that nobody has.
    pub(super) next: u64,
    /// The iteration whose `ordered` region is next.
    pub(super) turn: u64,
    /// Threads that have got all.
    pub(super) finished: usize,
}

/// What a thread has of the loop that it executes.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) number: u64,
    pub(super) kind: u32,
    pub(super) chunk: u64,
    pub(super) first: i64,
    pub(super) step: i64,
    pub(super) trips: u64,
    pub(super) width: u8,
    /// Chunks taken.
    pub(super) taken: u64,
    /// The iteration being executed, as far as `ordered` follows it.
    pub(super) at: u64,
    /// Its `ordered` region has been executed.
    pub(super) passed: bool,
}

/// Iterations of a nest of loops that have told that they are done.
#[derive(Clone, Debug, Default)]
pub(super) struct Doacross {
    /// First and last number in each loop.
    pub(super) bounds: Vec<(i64, i64)>,
    /// Under what name each has published.
    pub(super) done: BTreeMap<Vec<i64>, u64>,
    /// Threads that have finished the loop.
    pub(super) finished: usize,
}

/// A variable that tasks reduce (`kmp_taskred_input_t`), with the copies that there are.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// The variable.
    pub(super) variable: Pointer,
    /// Its size.
    pub(super) size: u64,
    /// `void (ptr copy, ptr variable)`: makes a copy what a reduction begins with; perhaps null.
    pub(super) init: Pointer,
    /// `void (ptr copy)`: what is to be done with a copy in the end; perhaps null.
    pub(super) fini: Pointer,
    /// `void (ptr variable, ptr copy)`: combines the first with the second.
    pub(super) combine: Pointer,
    /// By task.
    pub(super) copies: Vec<(usize, Pointer)>,
}

/// A task.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// The `kmp_task_t`.
    pub(super) object: Pointer,
    /// The task that created it.
    pub(super) parent: usize,
    /// Its actor for the race detector.
    pub(super) actor: usize,
    /// It is explicit and not over.
    pub(super) live: bool,
    /// Children that are not over.
    pub(super) children: usize,
    /// Actors of children that are over.
    pub(super) ended: Vec<usize>,
    /// Open groups, the innermost last: members that are not over, and actors of those that are.
    pub(super) groups: Vec<(usize, Vec<usize>)>,
    /// What the tasks of its open groups reduce, with the number of groups around each.
    pub(super) reduced: Vec<(usize, Vec<Reduced>)>,
    /// The creator and the depth of the group that it belongs to.
    pub(super) group: Option<(usize, usize)>,
    /// Tasks that it must wait for.
    pub(super) before: usize,
    /// Tasks that wait for it.
    pub(super) after: Vec<usize>,
    /// By address: the last task that writes, and those that read since.
    pub(super) depends: BTreeMap<u64, (Option<usize>, Vec<usize>)>,
    /// The tasks that it creates are executed at once by whoever executes it, if that asks.
    pub(super) is_final: bool,
    /// It is untied, and has handed itself over again: it goes on later.
    pub(super) again: bool,
    /// Where it was created.
    pub(super) at: Option<Location>,
}
