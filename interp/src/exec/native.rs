//! Calls over the bridge to native code: which may cross it, and how values do.

use crate::bridge::{Bridge, Passed};
use crate::code::Rounding;
use crate::engine::Engine;
use crate::library::{Library, set_errno};
use crate::machine::Machine;
use crate::outcome::{Fault, Res};
use crate::shim_call::ShimCall;
use crate::value::{Leaf, Scalar, Value, mask64};
use std::sync::Arc;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// A call of a function that has no body, no rule and no shim: the host's own function, if the bridge is open and a
    /// library has it.
    pub(super) fn native_call(&mut self, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
        let function = &self.program.module.functions[call.func];
        let name = function.name.as_str();
        let unknown = format!("a call of {name}, which has no body and is not a known library function");
        let refused = |why: &str| Err(Fault::unsupported(format!("{unknown}; {why}")));
        let signed = |n: usize| function.params.get(n).is_some_and(|param| param.attrs.has("signext"));
        // A parameter of several leaves is a vector or a structure.
        let plain = call.fixed == function.params.len();
        let passed = call.leaves.iter().enumerate().map(|(n, leaf)| Passed::of(*leaf, signed(n)));
        let passed = passed.collect::<Option<Vec<Passed>>>().filter(|_| plain);
        let result = match call.result {
            [] => Some(None),
            [leaf] => Passed::of(*leaf, false).map(Some),
            _ => None,
        };
        let crossing = passed.zip(result);
        let libraries = match (&self.limits.bridge, &crossing) {
            (Bridge::Closed, None) => return Err(Fault::unsupported(unknown)),
            (Bridge::Closed, Some(_)) => return refused("--native-calls can lend one of the host"),
            (Bridge::Repeated, _) => {
                return refused(
                    "this code is executed many times for one differentiated call, so nothing native is called in it",
                );
            }
            (Bridge::Open(libraries), _) => Arc::clone(libraries),
        };
        let Some((passed, result)) = crossing else {
            return refused("native calls take scalars of C, and give one or none");
        };
        if M::SHADOWS && call.leaves.iter().any(|leaf| leaf.is_float()) {
            return refused("what native code computes from numbers has no derivative");
        }
        if self.environment.rounding != Rounding::ToNearest {
            return refused("native code is called with rounding to nearest only");
        }
        let mut args = Vec::with_capacity(passed.len());
        for (n, passed) in passed.into_iter().enumerate() {
            args.push((passed, extended(passed, call.leaf(n)?)));
        }
        let Some(given) = libraries.call(name, &args, call.fixed, result)? else {
            return refused("none of the libraries of --native-calls has it");
        };
        if given.errno != 0 {
            set_errno(self, given.errno)?;
        }
        Ok(match call.result {
            [Leaf::Int(bits)] => Value::scalar(Scalar::word(given.bits & mask64(*bits))),
            [_] => Value::scalar(Scalar::word(given.bits)),
            _ => Value::void(),
        })
    }
}

/// The bits of a scalar as a word of C.
fn extended(passed: Passed, scalar: Scalar) -> u64 {
    match passed {
        Passed::Signed(bits) => {
            let spare = 64 - u32::from(bits);
            ((scalar.lo << spare) as i64 >> spare) as u64
        }
        Passed::Unsigned(bits) => scalar.lo & mask64(bits),
        Passed::Float(_) => scalar.lo,
    }
}
