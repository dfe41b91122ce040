//! Smaller regions.

use super::Editor;
use crate::c::ast::parallel::{How, Region, Role, Schedule, Shared, Work};
use crate::c::ast::{Form, Function, Loop, Place, Stmt, Update};

/// The bodies of a region, to be changed.
pub fn bodies_mut(region: &mut Region) -> Vec<&mut Vec<Stmt>> {
    region
        .phases
        .iter_mut()
        .flat_map(|phase| match &mut phase.work {
            Work::Loop(it) => vec![&mut it.body],
            Work::Pieces(_, pieces) => pieces.iter_mut().map(|piece| &mut piece.body).collect(),
            Work::Once(_, body) | Work::All(body) => vec![body],
        })
        .collect()
}

/// What a region does, without threads.
pub fn in_series(region: &Region) -> Vec<Stmt> {
    let of = |work: &Work| match work {
        Work::Loop(it) => repeated(it),
        Work::Pieces(_, pieces) => pieces.iter().flat_map(|piece| piece.body.clone()).collect(),
        Work::Once(_, body) | Work::All(body) => body.clone(),
    };
    region.phases.iter().flat_map(|phase| of(&phase.work)).collect()
}

fn repeated(it: &Shared) -> Vec<Stmt> {
    let start = |(v, role): &(usize, Role)| match role {
        Role::Private(start) | Role::Last(start) => Some(Stmt::Assign(Place::Var(*v), Update::Set, start.clone())),
        _ => None,
    };
    let body: Vec<Stmt> = it.roles.iter().filter_map(start).chain(it.body.iter().cloned()).collect();
    let within = |body: Vec<Stmt>, (n, counter): (usize, &usize)| {
        let trips = it.trips.clone().filter(|_| n == 0);
        vec![Stmt::Loop(Loop { form: Form::Up, counter: *counter, trips, cond: None, body })]
    };
    let counters: Vec<(usize, &usize)> = it.counters.iter().enumerate().collect();
    counters.into_iter().rev().fold(body, within)
}

impl Editor {
    pub(super) fn region(&mut self, region: &mut Region, f: &mut Function) {
        for at in 0..region.phases.len() {
            if self.here() {
                region.phases.remove(at);
                return;
            }
        }
        if region.threads.is_some() && self.here() {
            region.threads = None;
        }
        if region.condition.is_some() && self.here() {
            region.condition = None;
        }
        for at in 0..region.copies.len() {
            if self.here() {
                region.copies.remove(at);
                return;
            }
        }
        for phase in &mut region.phases {
            if phase.nowait && self.here() {
                phase.nowait = false;
            }
            match &mut phase.work {
                Work::Loop(it) => self.shared(it, f),
                Work::Pieces(tasks, pieces) => {
                    for at in 0..pieces.len() {
                        if self.here() {
                            pieces.remove(at);
                            return;
                        }
                    }
                    if *tasks && self.here() {
                        *tasks = false;
                    }
                    for piece in pieces {
                        if !piece.depends.is_empty() && self.here() {
                            piece.depends.clear();
                        }
                        self.stmts(&mut piece.body, f);
                    }
                }
                Work::Once(_, body) | Work::All(body) => self.stmts(body, f),
            }
        }
        if let Some(condition) = &mut region.condition {
            self.cond(condition);
        }
    }

    fn shared(&mut self, it: &mut Shared, f: &mut Function) {
        if it.how != How::For(Schedule::None) && self.here() {
            it.how = How::For(Schedule::None);
        }
        if it.trips.is_some() && self.here() {
            it.trips = None;
        }
        if it.counters.len() > 1 && self.here() {
            it.counters.pop();
        }
        for at in 0..it.roles.len() {
            if self.here() {
                it.roles.remove(at);
                return;
            }
        }
        for (_, role) in &mut it.roles {
            if let Role::Private(start) | Role::Last(start) = role {
                self.float(start);
            }
        }
        self.stmts(&mut it.body, f);
        if let Some(trips) = &mut it.trips {
            self.int(trips);
        }
    }
}
