//! Numbers in memory as the source declares them: their formats, and their names, such as `list->next->value` and
//! `from[1].weight`.
//!
//! The declared type of a parameter (debug information) names the parts of what it points to, and the pointers among
//! them lead on.

use ir::debug;
use ir::{FloatKind, MdId, Module};
use std::rc::Rc;

/// Parts of a type that are listed at most, and how deep.
const MOST: usize = 4096;
const DEEPEST: usize = 32;

/// The parts of what a pointer leads to.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Size of what it leads to; arrays repeat it.
    stride: u64,
    /// By offset.
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    offset: u64,
    size: u64,
    /// As it is written behind the name of the whole: `.grid[2]`, or nothing.
    path: String,
    ty: MdId,
    /// Its format, if it is a number.
    number: Option<FloatKind>,
}

impl Layout {
    /// What a declared pointer or reference leads to, if its type is known.
    pub fn behind(module: &Module, pointer: MdId) -> Option<Rc<Layout>> {
        let pointee = debug::pointee(module, pointer)?;
        let mut layout = Layout { stride: debug::size(module, pointee), parts: Vec::new() };
        layout.list(module, pointee, 0, String::new(), 0)?;
        layout.parts.sort_by_key(|part| part.offset);
        (layout.stride > 0).then(|| Rc::new(layout))
    }

    fn list(&mut self, m: &Module, ty: MdId, offset: u64, path: String, depth: usize) -> Option<()> {
        if self.parts.len() >= MOST || depth > DEEPEST {
            return None;
        }
        if let Some((elem, count)) = debug::array(m, ty) {
            let (step, dimensions) = (debug::size(m, elem), dimensions(m, ty));
            for i in 0..count {
                let place = format!("{path}{}", subscripts(i, &dimensions));
                self.list(m, elem, offset + i * step, place, depth + 1)?;
            }
            return Some(());
        }
        let (members, size) = (debug::members(m, ty), debug::size(m, ty));
        for member in &members {
            let place = if member.name.is_empty() { path.clone() } else { format!("{path}.{}", member.name) };
            self.list(m, member.ty, offset + member.offset, place, depth + 1)?;
        }
        if members.is_empty() {
            let (number, count) = debug::floats(m, ty).unwrap_or((None, 1));
            let halves: &[&str] = if count == 2 { &[".real", ".imag"] } else { &[""] };
            let size = size / count;
            for (half, i) in halves.iter().zip(0..) {
                self.parts.push(Part { offset: offset + i * size, size, path: format!("{path}{half}"), ty, number });
            }
        }
        Some(())
    }

    /// The name of the part that fills `size` bytes at `offset` behind what is called `name`; `alone` if there is but
    /// one object.
    pub fn name(&self, name: &str, offset: i64, size: u64, alone: bool) -> Option<String> {
        let part = self.part(offset).filter(|part| part.size.next_power_of_two() == size.next_power_of_two())?;
        let index = offset.div_euclid(self.stride as i64);
        let name = if name.starts_with('*') { format!("({name})") } else { name.to_owned() };
        Some(match (alone && index == 0, part.path.strip_prefix('.')) {
            (true, Some(member)) => format!("{name}->{member}"),
            (true, None) if part.path.is_empty() => format!("*{name}"),
            _ => format!("{name}[{index}]{}", part.path),
        })
    }

    /// The declared type of the part that begins at `offset`.
    pub fn type_at(&self, offset: i64) -> Option<MdId> {
        self.part(offset).map(|part| part.ty)
    }

    /// The format of the number that is declared to begin at `offset`.
    pub fn number_at(&self, offset: i64) -> Option<FloatKind> {
        self.part(offset)?.number
    }

    /// Is it an array of the type, or one object?
    pub fn is_alone(&self, size: u64) -> bool {
        size < 2 * self.stride
    }

    fn part(&self, offset: i64) -> Option<&Part> {
        let rest = offset.rem_euclid(self.stride as i64) as u64;
        self.parts.binary_search_by_key(&rest, |part| part.offset).ok().and_then(|i| self.parts.get(i))
    }
}

/// The extents of an array, outermost first.
fn dimensions(m: &Module, ty: MdId) -> Vec<u64> {
    let ranges = debug::elements(m, ty);
    ranges.iter().map(|range| m.metadata[*range].int("count").map_or(0, |count| count.max(0) as u64)).collect()
}

/// `[1][2]` for an element counted through all dimensions.
fn subscripts(mut index: u64, dimensions: &[u64]) -> String {
    let mut text = String::new();
    for extent in dimensions.iter().skip(1).rev().filter(|extent| **extent > 0) {
        text = format!("[{}]{text}", index % extent);
        index /= extent;
    }
    format!("[{index}]{text}")
}
