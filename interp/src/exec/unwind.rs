//! Unwinding: the way of an exception from where it is thrown to its handler (Itanium C++ ABI, "Exception Handling",
//! level I).
//!
//! In two phases. The search looks for a frame whose landing pad has a handler for the exception; if there is none, the
//! program terminates before anything is destroyed, as with GCC's run-time library. Then the frames are left one by
//! one; those with a clean-up on the way are entered and resume. Frames of several nested execution loops (library
//! callbacks) are left loop by loop: an exception passes through the library as a [`Fault`](crate::outcome::Fault).

use crate::code::{CallSite, Landing, LandingClause, Op, Slot};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::thrown::Thrown;
use crate::unwind::exceptions;
use crate::value::{Pointer, Scalar};

/// The selector of a handler, and the object it sees.
type Match = (i32, Pointer);

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// The call that a frame is at.
    fn call_site(&self, frame: usize) -> Option<&CallSite> {
        let running = frame + 1 == self.frames.len();
        let frame = &self.frames[frame];
        let pc = if running { self.pc } else { frame.pc };
        let code = self.code(frame.func);
        match *code.ops.get(pc.checked_sub(1)?)? {
            Op::Call { site } => code.calls.get(site as usize),
            _ => None,
        }
    }

    /// The first clause that takes the exception.
    fn match_clause(&self, landing: &Landing, thrown: &Thrown) -> Res<Option<Match>> {
        for (index, clause) in (1..).zip(&landing.clauses) {
            match clause {
                LandingClause::Catch(ty) => {
                    if let Some(object) = exceptions::catches(self, *ty, thrown)? {
                        return Ok(Some((exceptions::selector(*ty), object)));
                    }
                }
                LandingClause::Filter(types) => {
                    let mut passes = false;
                    for ty in types {
                        passes |= exceptions::catches(self, *ty, thrown)?.is_some();
                    }
                    if !passes {
                        return Ok(Some((-index, thrown.object)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The search: starts the unwinding of an exception, or terminates the program.
    pub(crate) fn throw(&mut self, thrown: &Thrown) -> Res<std::convert::Infallible> {
        for frame in (0..self.frames.len()).rev() {
            let code = self.code(self.frames[frame].func);
            let site = self.call_site(frame);
            if let Some((_, landing)) = site.and_then(|s| s.unwind)
                && self.match_clause(&code.landings[landing as usize], thrown)?.is_some()
            {
                return Err(Fault::unwinding(thrown.object.addr));
            }
            // "nounwind … if an exception unwinds out of it, the behavior is undefined"
            let promised = site.is_some_and(|s| s.nounwind) || code.nounwind;
            if promised {
                let name = &self.program.module.functions[self.frames[frame].func].name;
                let text =
                    format!("an exception leaves {name} or a call in it, which promises that none does (nounwind)");
                return Err(Fault::ub(UbKind::Attribute, text));
            }
        }
        Err(exceptions::terminate(self, Some(thrown)))
    }

    /// Leaves frames above `floor` until one has something to do for the exception, and goes on there; false if none
    /// has.
    pub(super) fn land(&mut self, object: u64, floor: usize) -> Res<bool> {
        let Some(thrown) = self.exceptions.find(object) else {
            return Err(Fault::ub(UbKind::Library, "an exception is resumed that is none"));
        };
        while self.frames.len() > floor {
            let frame = self.frames.len() - 1;
            let code = self.code(self.frames[frame].func);
            if let Some((edge, landing)) = self.call_site(frame).and_then(|s| s.unwind) {
                let landing = &code.landings[landing as usize];
                let found = self.match_clause(landing, &thrown)?;
                if found.is_some() || landing.cleanup {
                    let (selector, seen) = found.unwrap_or((0, thrown.object));
                    self.exceptions.enter(thrown.object, seen, selector);
                    (self.base, self.func) = (self.frames[frame].base, self.frames[frame].func);
                    self.pc = self.follow(code, edge)?;
                    return Ok(true);
                }
            }
            let here = self.location();
            let Some(frame) = self.frames.pop() else { break };
            self.memory.stack_release(frame.stack_mark, here);
            if let Some(caller) = self.frames.last() {
                (self.base, self.pc, self.func) = (caller.base, caller.pc, caller.func);
            }
        }
        Ok(false)
    }
    pub(super) fn landing_pad(&mut self, dst: Slot) {
        let (object, selector) = self.exceptions.landing;
        self.set(dst, Scalar::ptr(object));
        self.set(dst + 1, Scalar::i32(selector));
    }

    /// The fault with which an exception goes on.
    pub(super) fn resume(&self, src: Slot) -> Box<Fault> {
        match self.need(self.reg(src), "the exception resumed") {
            Ok(object) => Fault::unwinding(object.as_ptr().addr),
            Err(fault) => fault,
        }
    }
}
