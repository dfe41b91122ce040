//! Copies of characters that strings keep within themselves: these move no numbers, whatever lies beside the string.
//!
//! A string of libstdc++ is { pointer, length, 16 bytes of a short text }, and no pointer to a character leaves these
//! ([string.require], 3; [expr.add], 4).

use crate::analysis::memory::object::ObjId;
use crate::analysis::memory::place::Place;
use crate::check::shadows::{At, Checker};
use ir::{InstKind, MdOperand, Module, Operand};

const NAME: &str = "NSt7__cxx1112basic_stringIc";
const FIRST: i64 = 16;
const BYTES: u64 = 16;
const SIZE: i64 = 32;

impl Checker<'_> {
    /// Does a copy of so many bytes (as many as the run tells, if `None`) that begins there move only characters?
    pub(super) fn moves_characters(&self, object: ObjId, place: Place, size: Option<u64>) -> bool {
        let walked = place.step == 1 && place.count >= BYTES;
        let begins = |at: u64| if walked { 0 } else { at + place.extent() };
        self.texts(object, place).any(|at| size.is_none_or(|size| begins(at).saturating_add(size) <= BYTES))
    }

    /// Does a pointer lead to characters of a short text?
    pub(super) fn is_text(&self, object: ObjId, place: Place) -> bool {
        self.texts(object, place).next().is_some()
    }

    /// At which character a pointer leads into the texts that lie in the object, of those that it does not leave.
    fn texts(&self, object: ObjId, place: Place) -> impl Iterator<Item = u64> {
        let own = self.strings().iter().filter(move |(o, string)| *o == object && string.extent() == 0);
        own.filter_map(move |(_, string)| {
            let period = string.stride;
            let at = place.start.wrapping_sub(string.start.wrapping_add(FIRST));
            let at = u64::try_from(if period == 0 { at } else { at.rem_euclid(period as i64) }).ok()?;
            let apart = period == 0 || period >= SIZE as u64;
            let repeats = place.stride == 0 || period != 0 && place.stride.is_multiple_of(period);
            (apart && repeats && at.saturating_add(place.extent()) < BYTES).then_some(at)
        })
    }

    /// Where strings begin: their first member is accessed, or a function that sets it stores a pointer.
    fn strings(&self) -> &[(ObjId, Place)] {
        self.strings.get_or_init(|| {
            let mut found = Vec::new();
            for (id, func) in self.sources {
                for (_, inst) in func.inst_order() {
                    let at = At { id: *id, func, inst };
                    if let Some(ptr) = first_member(self.m, at) {
                        // What is shorter is a variable of the function that sets it.
                        let fits = |(o, place): &(ObjId, Place)| {
                            place.start.saturating_add(SIZE) <= self.facts.objects[*o].size
                        };
                        found.extend(self.targets(*id, ptr).into_iter().filter(fits));
                    }
                }
            }
            found
        })
    }
}

/// The address of the first member of a string, if that is what an instruction accesses.
fn first_member(m: &Module, at: At) -> Option<Operand> {
    let data = &at.func.insts[at.inst];
    let (ptr, ty) = match &data.kind {
        InstKind::Load { ptr, .. } => (*ptr, data.ty),
        InstKind::Store { ptr, value, .. } => (*ptr, m.operand_ty(at.func, *value)),
        _ => return None,
    };
    let named = |bytes: &[u8], prefix: &str| String::from_utf8_lossy(bytes).starts_with(&format!("{prefix}{NAME}"));
    let tagged = || {
        let operands = m.metadata[data.metadata("tbaa")?].operands();
        let [MdOperand::Node(base), _, MdOperand::Const(offset), ..] = operands else { return None };
        let MdOperand::Str(name) = m.metadata[*base].operands().first()? else { return None };
        (named(name, "_ZTS") && m.as_int(Operand::Const(*offset)) == Some(0)).then_some(())
    };
    let written = || m.metadata[ir::debug::function_at(m, data.loc?)?].str("linkageName");
    let sets =
        |name: &str| named(name.as_bytes(), "_Z") && (name.contains("12_Alloc_hiderC") || name.contains("7_M_dataEP"));
    let set = matches!(data.kind, InstKind::Store { .. })
        && (sets(&at.func.name) || written().is_some_and(|name| sets(&name)));
    (m.types.is_ptr(ty) && (set || tagged().is_some())).then_some(ptr)
}
