//! Strings of libstdc++, and how far their characters go.
//!
//! A `std::basic_string` keeps a short text within itself: it is { pointer to the characters, length, 16 bytes }, and
//! the pointer may lead to these. Whoever goes through a text goes by characters from there, in an object that may hold
//! numbers and pointers behind the string. The elements of a string are those of an array ([string.require], 3), and
//! what is computed from a pointer to an element of an array stays in the array ([expr.add], 4): no walk leaves the 16
//! bytes.
//!
//! Where strings lie is told by the types of accesses to their first member (`!tbaa`), and by the functions of the
//! library that set it. All of it is found before anything else is: what a walk has met once it has met for good. A
//! pointer to a string may be said to lead to other memory as well; where numbers or pointers turn out to lie in what
//! was taken for characters, the analysis begins again and knows of no string there.

use crate::analysis::memory::Facts;
use crate::analysis::memory::constant::ANY_SIZE;
use crate::analysis::memory::object::{ObjId, ObjKind, Places, Targets};
use crate::analysis::memory::place::Place;
use crate::program::cell::Cell;
use ir::hash::{HashMap, HashSet};
use ir::{Call, FuncId, Function, Inst, InstKind, MdField, MdId, MdOperand, Module, Operand, debug};
use std::collections::BTreeSet;

/// How names of strings of `char` and of their members begin (Itanium C++ ABI, 5.1), behind what they are names of. Of
/// other strings the elements may be numbers.
const STRING: &str = "NSt7__cxx1112basic_stringIc";

/// Where the characters of a short text lie in a string, and how many bytes there are.
const SHORT: (i64, u64) = (16, 16);
const SIZE: i64 = 32;

/// So often the analysis begins again with other strings; then with what it has, or where that is wrong, with none.
const MAX_ATTEMPTS: u32 = 4;

/// The characters of the short texts of strings that begin at these places, if they do not lie closer than they can.
fn characters(strings: Place) -> Option<Place> {
    let text = strings.moved(SHORT.0, 0).within(1, SHORT.1);
    let apart = [strings.stride, strings.step, strings.outer_step].iter().all(|by| *by == 0 || *by >= SIZE as u64);
    (apart && text.stride == strings.stride && text.extent() == strings.extent() + SHORT.1 - 1).then_some(text)
}

/// Does a copy of so many bytes from a place in a text end there? A walk may be anywhere in it: it leaves none.
fn fits(text: Place, place: Place, size: u64) -> bool {
    if place.step == 1 && place.count >= SHORT.1 {
        return size <= SHORT.1;
    }
    let period = if text.stride == 0 && text.outer_count > 1 { text.outer_step } else { text.stride };
    let behind = place.start.wrapping_sub(text.start);
    let first = if period == 0 { behind } else { behind.rem_euclid(period as i64) };
    let last = if place.step < SIZE as u64 { place.step * (place.count - 1) } else { 0 };
    u64::try_from(first).is_ok_and(|first| first.saturating_add(last).saturating_add(size) <= SHORT.1)
}

/// The strings of a program, by the objects in which they lie, and where in these they begin.
#[derive(Clone, Default, Debug)]
pub(super) struct Strings {
    known: HashMap<ObjKind, BTreeSet<Place>>,
    found: HashMap<ObjKind, BTreeSet<Place>>,
    /// Where none can be, although a pointer to one may lead there.
    none: HashSet<(ObjKind, Place)>,
    attempts: u32,
}

impl Strings {
    /// What is known with what has been found since, if that is anything new.
    pub fn with_found(&self) -> Option<Strings> {
        let known = |(kind, places): (&ObjKind, &BTreeSet<Place>)| {
            let known = self.known.get(kind);
            known.is_some_and(|known| places.iter().all(|place| known.iter().any(|all| all.includes(*place))))
        };
        if self.attempts >= MAX_ATTEMPTS || self.found.iter().all(known) {
            return None;
        }
        let mut all = self.known.clone();
        for (kind, places) in &self.found {
            all.entry(*kind).or_default().extend(places);
        }
        // Of the strings of an array, those of the whole array are enough: two that overlap would make a walk endless.
        for places in all.values_mut() {
            let each = places.clone();
            places.retain(|place| !each.iter().any(|other| other != place && other.includes(*place)));
        }
        Some(Strings { known: all, found: HashMap::default(), none: self.none.clone(), attempts: self.attempts + 1 })
    }
}

impl Facts {
    /// A pointer is loaded from `targets` or stored there: is it the first member of a string?
    pub(super) fn find_strings(&mut self, m: &Module, func: &Function, inst: &Inst, targets: &Targets) {
        if self.strings.attempts >= MAX_ATTEMPTS || !accesses_string(m, func, inst) {
            return;
        }
        for (object, place) in targets {
            let kind = self.objects[*object].kind;
            // Others are known by numbers that another attempt may give to something else.
            let named = match kind {
                ObjKind::External { parent, .. } => parent.is_none(),
                ObjKind::Stack(..) | ObjKind::Heap(..) | ObjKind::Global(_) => true,
                _ => false,
            };
            // A function of the library keeps its parameters in variables, too.
            let fits = place.start.saturating_add(SIZE) <= self.objects[*object].size;
            let is_none = self.strings.none.contains(&(kind, *place));
            if named && fits && !is_none && characters(*place).is_some() {
                self.strings.found.entry(kind).or_default().insert(*place);
            }
        }
    }

    /// The characters of the short text within which a pointer leads, if it does.
    pub fn short_text(&self, object: ObjId, place: Place) -> Option<Place> {
        let strings = self.strings.known.get(&self.objects[object].kind)?;
        strings.iter().filter_map(|at| characters(*at)).find(|text| text.contains(place))
    }

    /// Is a copy or fill of so many bytes (as many as the run tells, if `None`) from there on one of characters? One
    /// from a known character goes no farther than the last.
    fn is_text(&self, (object, place): (ObjId, Place), size: Option<u64>) -> bool {
        self.short_text(object, place).is_some_and(|text| size.is_none_or(|size| fits(text, place, size)))
    }

    /// What is known without the strings in whose characters numbers or pointers lie, if there are such.
    pub(super) fn without_wrong_strings(&self) -> Option<Strings> {
        let mut strings = self.strings.clone();
        for known in self.objects.values() {
            let Some(places) = strings.known.get_mut(&known.kind) else { continue };
            let mut others: Vec<(Place, u64)> = known.pointers.keys().map(|place| (*place, 8)).collect();
            others.extend(known.cells.iter().filter(|(_, cell)| **cell != Cell::Int).map(|(datum, _)| *datum));
            let meets = |text: Place| others.iter().any(|(at, size)| at.overlaps(*size, text, 1));
            let wrong: Vec<Place> = places.iter().copied().filter(|at| characters(*at).is_none_or(meets)).collect();
            places.retain(|place| !wrong.contains(place));
            strings.none.extend(wrong.into_iter().map(|place| (known.kind, place)));
        }
        if strings.none.len() == self.strings.none.len() {
            return None;
        }
        match strings.attempts >= MAX_ATTEMPTS {
            true => Some(Strings { attempts: MAX_ATTEMPTS, ..Strings::default() }),
            false => Some(Strings { found: HashMap::default(), attempts: strings.attempts + 1, ..strings }),
        }
    }

    /// Pointers that went from `targets` by characters stay in the text.
    pub(super) fn keep_in_texts(&self, targets: &Targets, reached: &mut Targets) {
        if self.strings.known.is_empty() {
            return;
        }
        for (object, place) in reached {
            let Some(before) = targets.get(object) else { continue };
            let single = place.extent() == 0 && place.stride == before.stride;
            if let Some(text) = self.short_text(*object, *before).filter(|_| !single) {
                *place = text;
            }
        }
    }

    /// A copy is one of characters if it goes to a text, or from one to where neither numbers nor pointers lie. Says
    /// whether it is. The bytes of numbers that come to a text are bits of them.
    pub(super) fn copy_text(&mut self, to: (ObjId, Place), from: (ObjId, Place), size: Option<u64>) -> bool {
        let [to_text, from_text] = [to, from].map(|side| self.is_text(side, size));
        let source = &self.objects[from.0];
        let copies = to_text || from_text && self.holds_no_others(to.0);
        let numbers = || source.varied && self.may_meet_float(from.0, from.1, size.unwrap_or(ANY_SIZE));
        if copies && (source.bits || !from_text && numbers()) {
            self.leave_bits(to.0);
        }
        copies
    }

    /// Does a copy or fill move characters alone: between texts and memory in which nothing is but characters?
    pub fn moves_text(&self, sides: &Places, size: Option<u64>) -> bool {
        let text = |side: &(ObjId, Place)| self.is_text(*side, size);
        let plain = |(object, _): &(ObjId, Place)| !self.objects[*object].varied && self.holds_no_others(*object);
        sides.iter().any(text) && sides.iter().all(|side| text(side) || plain(side))
    }

    /// Is a copy one of characters alone?
    pub(super) fn copies_text(&self, m: &Module, id: FuncId, call: &Call) -> bool {
        let sides: Vec<_> = call.args[..2].iter().flat_map(|side| self.points_to(m, id, *side)).collect();
        self.moves_text(&sides, m.as_int(call.args[2]).map(|size| size as u64))
    }

    fn holds_no_others(&self, object: ObjId) -> bool {
        let known = &self.objects[object];
        let own = matches!(known.kind, ObjKind::Stack(..) | ObjKind::Heap(..) | ObjKind::Global(_));
        own && known.pointers.is_empty() && known.cells.values().all(|cell| *cell == Cell::Int)
    }
}

/// Is it an access of the first member of a string: by its type, or if it has none, because a function of the library
/// stores there that sets it?
fn accesses_string(m: &Module, func: &Function, inst: &Inst) -> bool {
    match inst.metadata("tbaa") {
        Some(tag) => is_first_member(m, tag),
        None => matches!(inst.kind, InstKind::Store { .. }) && sets_string(m, func, inst),
    }
}

fn is_first_member(m: &Module, tag: MdId) -> bool {
    let [MdOperand::Node(base), _, MdOperand::Const(offset), ..] = m.metadata[tag].operands() else { return false };
    let Some(MdOperand::Str(name)) = m.metadata[*base].operands().first() else { return false };
    let is_string = name.strip_prefix(b"_ZTS").is_some_and(|name| name.starts_with(STRING.as_bytes()));
    is_string && m.as_int(Operand::Const(*offset)) == Some(0)
}

fn sets_string(m: &Module, func: &Function, inst: &Inst) -> bool {
    let sets = |name: &str| {
        let member = name.strip_prefix("_Z").and_then(|name| name.strip_prefix(STRING));
        member.is_some_and(|rest| rest.contains("12_Alloc_hiderC") || rest.contains("7_M_dataEP"))
    };
    let written = || match m.metadata[debug::function_at(m, inst.loc?)?].field("linkageName") {
        Some(MdField::Str(name)) => std::str::from_utf8(name).ok(),
        _ => None,
    };
    sets(&func.name) || written().is_some_and(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::Activity;
    use crate::normalise::collect::collect;
    use crate::normalise::indirect::Indirect;

    #[test]
    fn copies_end_in_the_text() {
        let single = characters(Place::at(8)).expect("one string");
        let array = characters(Place::every(8, 48)).expect("strings in an array of records");
        let few = characters(Place::at(8).within(48, 3)).expect("a few of them");
        for text in [single, array, few] {
            for at in 0..16 {
                for size in [0, 1, 8, 15, 16, 17, u64::MAX] {
                    let ends = size.saturating_add(at) <= 16;
                    assert_eq!(fits(text, Place::at(24 + at as i64), size), ends, "{text:?} {at} {size}");
                }
            }
            assert!(text.contains(text) && fits(text, text, 16) && !fits(text, text, 17));
            assert!(!text.contains(Place::at(23)) && !text.contains(Place::at(40)));
        }
        // Two neighbours, of which the second has eight bytes behind it.
        assert!(!fits(single, Place::at(28).within(4, 2), 12) && fits(single, Place::at(28).within(4, 2), 8));
    }

    /// The places in a string and in an array of numbers at which the analysis finds a text, if one pointer may lead to
    /// both.
    fn texts_of_either(number: &str) -> [bool; 2] {
        let text = format!(
            "define double @f(ptr %x, i1 %c) {{\n  %string = alloca [40 x i8], align 8\n  \
             %array = alloca [40 x i8], align 8\n  %either = select i1 %c, ptr %string, ptr %array\n  \
             %first = load ptr, ptr %either, align 8, !tbaa !0\n  \
             %third = getelementptr inbounds i8, ptr %array, i64 {number}\n  %v = load double, ptr %x, align 8\n  \
             store double %v, ptr %third, align 8\n  %w = load double, ptr %third, align 8\n  ret double %w\n}}\n\
             !0 = !{{!1, !2, i64 0}}\n\
             !1 = !{{!\"_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_Alloc_hiderE\", !2, i64 0}}\n\
             !2 = !{{!\"any pointer\", !3, i64 0}}\n!3 = !{{!\"omnipotent char\"}}\n"
        );
        let mut m = ir::parse(&text, "either").expect("the test's IR parses");
        let f = m.function("f").expect("f is there");
        let sources = collect(&mut m, f).expect("it can be normalised");
        let facts = Facts::analyse(&m, &sources, f, &[Activity::Dup, Activity::Const], &Indirect::default());
        let facts = facts.expect("it converges");
        let mut texts = facts.objects.iter().filter(|(_, o)| matches!(o.kind, ObjKind::Stack(..))).map(|(id, o)| {
            let holds_numbers = o.cells.values().any(|cell| cell.float().is_some());
            (holds_numbers, facts.short_text(id, Place::at(16)).is_some())
        });
        let both: [(bool, bool); 2] = std::array::from_fn(|_| texts.next().expect("two variables"));
        [false, true].map(|numbers| both.iter().any(|(holds, text)| *holds == numbers && *text))
    }

    /// A pointer may lead elsewhere than to a string: where numbers are, none is.
    #[test]
    fn where_numbers_lie_is_no_text() {
        assert_eq!(texts_of_either("16"), [true, false]);
        assert_eq!(texts_of_either("24"), [true, false]);
        // Behind a string there may be numbers.
        assert_eq!(texts_of_either("32"), [true, true]);
    }

    #[test]
    fn strings_do_not_overlap() {
        assert!(characters(Place::every(0, 32)).is_some());
        assert_eq!(characters(Place::every(0, 8)), None);
        assert_eq!(characters(Place::ANY), None);
        assert_eq!(characters(Place::at(0).within(8, 4)), None);
    }
}
