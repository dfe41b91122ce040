//! Messages between ranks: what a call of MPI tells of memory, and what of it has no derivative.
//!
//! All ranks run the same program, but nobody here sees who sends what to whom. So whatever floats arrive may depend
//! on active inputs (of another rank), and every message of floats goes back in the reverse pass: that the partner's
//! buffer is constant is not known where the message is sent.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::program::cell::Cell;
use crate::program::mpi::{self, Count, Datatype, Kind, Operation, Row};
use ir::{Call, FuncId, Module, Operand};

/// Elements of a buffer whose types are told apart.
const MOST_ELEMENTS: u64 = 1 << 16;

impl Facts {
    /// The transfer function of such a call.
    pub(super) fn call_message(&mut self, m: &Module, id: FuncId, call: &Call, row: &Row) {
        for buffer in row.buffers {
            let targets = self.targets(m, id, call.args[buffer.at]);
            let ty = Datatype::of(m, call.args[buffer.ty]);
            if let Datatype::Float(kind) = ty {
                let size = u64::from(kind.bits()) / 8;
                self.seed_cell(&targets, Cell::Float(kind), size);
                let whole = match buffer.count {
                    Count::Whole(count) => m.as_int(call.args[count]),
                    Count::Each(_) | Count::Listed(_) | Count::Summed(_) => None,
                };
                let count = whole.map(|count| count as u64);
                if let Some(count) = count.filter(|count| *count <= MOST_ELEMENTS) {
                    self.seed_array(&targets, Cell::Float(kind), size, Some(count * size));
                }
            }
            if let Datatype::WithIndex(kind) = ty {
                self.seed_cell(&targets, Cell::Float(kind), u64::from(kind.bits()) / 8);
            }
            for object in targets.into_keys().filter(|_| buffer.received) {
                self.set_written(object);
                if row.receives_later() {
                    self.changed |= self.pending.insert(object);
                }
                if ty != Datatype::Integer {
                    self.set_varied(object);
                }
            }
        }
        if row.completes() {
            for object in self.pending.clone() {
                self.set_written(object);
            }
        }
        let others: Vec<Operand> = match row.kind {
            Kind::Refused(_) => call.args.clone(),
            _ => row.writes.iter().map(|at| call.args[*at]).collect(),
        };
        for arg in others {
            for object in self.targets(m, id, arg).into_keys() {
                self.set_written(object);
            }
        }
    }

    /// Why the call has no derivative.
    pub(super) fn message_objection(&self, m: &Module, id: FuncId, call: &Call, row: &Row) -> Option<&'static str> {
        if let (Kind::Refused(why), []) = (row.kind, row.buffers) {
            return Some(why);
        }
        row.buffers.iter().find_map(|buffer| {
            let ptr = call.args[buffer.at];
            if mpi::is_in_place(m, ptr) {
                return None;
            }
            let targets = self.points_to(m, id, ptr);
            let shadowed = |object: &ObjId| self.is_shadowed(*object);
            let floats = |(object, place): (&ObjId, &Place)| self.may_hold_float(*object, *place, 8);
            match Datatype::of(m, call.args[buffer.ty]) {
                Datatype::Integer if targets.iter().any(|(o, at)| shadowed(o) && floats((o, at))) => {
                    Some("floats are sent or received as integers")
                }
                Datatype::Integer => None,
                ty => match row.kind {
                    Kind::Refused(why) => Some(why),
                    _ if ty != Datatype::Other => {
                        operation_objection(m, call, row).or_else(|| self.buffer_objection(m, id, ptr, buffer.received))
                    }
                    _ if targets.keys().any(shadowed) || buffer.received && targets.iter().any(floats) => Some(
                        "floats are sent or received as another type than MPI_DOUBLE or MPI_FLOAT: what lies in the \
                         message is not known",
                    ),
                    _ => None,
                },
            }
        })
    }

    /// The buffers, by their bits, that may hold floats while only a run tells their type, which must not be one of
    /// integers.
    pub(crate) fn untold_floats(&self, m: &Module, id: FuncId, call: &Call, row: &Row) -> u32 {
        let untold = row.buffers.iter().enumerate().filter(|(_, buffer)| {
            let floats = |(object, place): (&ObjId, &Place)| {
                self.is_shadowed(*object) && self.may_hold_float(*object, *place, 8)
            };
            Datatype::of(m, call.args[buffer.ty]) == Datatype::Unknown
                && self.points_to(m, id, call.args[buffer.at]).iter().any(floats)
        });
        untold.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    fn buffer_objection(&self, m: &Module, id: FuncId, ptr: Operand, received: bool) -> Option<&'static str> {
        if self.leads_elsewhere(m, id, ptr) {
            return Some(
                "a message of floats is in memory of unknown origin: nobody tells where its adjoints are, if it has any",
            );
        }
        let told = |o: &ObjId| matches!(self.objects[*o].kind, ObjKind::External { constant: true, .. });
        let targets = self.points_to(m, id, ptr);
        (received && !targets.is_empty() && targets.keys().all(told))
            .then_some("floats of another rank are received in memory that the call marks constant (`enzyme_const`)")
    }
}

fn operation_objection(m: &Module, call: &Call, row: &Row) -> Option<&'static str> {
    let scans = matches!(row.kind, Kind::Scan | Kind::Exscan);
    match row.operation(m, call)? {
        Operation::Weighted | Operation::Located if scans => Some("a scan of floats by another operation than MPI_SUM"),
        Operation::Weighted | Operation::Located if row.request.is_some() => {
            Some("a reduction that is only begun, by another operation than MPI_SUM: call the one that waits")
        }
        Operation::Other => Some(
            "a reduction of floats by another operation than MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_MINLOC and \
             MPI_MAXLOC",
        ),
        _ => None,
    }
}
