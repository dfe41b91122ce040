//! Shadow regions: which byte of shadow memory belongs to which byte of primal memory.
//!
//! Each duplicated argument pairs a primal object with a shadow object at a fixed distance. A pointer stored in a
//! primal object and the pointer stored at the same place of its shadow pair two further objects, and so on: the
//! closure is found by following them. The map must be a function and one to one on the cells that are differentiated;
//! `alias` checks that.

use super::names::Layout;
use interp::memory::state;
use interp::{AllocId, AllocInfo, Life, Memory, Pointer, Shadow};
use ir::hash::{HashMap, HashSet};
use ir::{FloatKind, MdId, Module};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A duplicated argument.
#[derive(Clone, Debug)]
pub struct Root {
    /// The parameter's name, for components.
    pub name: String,
    /// The primal pointer.
    pub primal: Pointer,
    /// The shadow pointer.
    pub shadow: Pointer,
    /// Is the primal result behind it not needed?
    pub noneed: bool,
    /// The type that the source declares for it.
    pub declared: Option<MdId>,
    /// Is memory constant that is its own shadow, here and wherever pointers lead (`enzyme_runtime_activity`)?
    pub at_run_time: bool,
}

/// A primal object with its shadow.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The primal object.
    pub primal: AllocInfo,
    /// The shadow object.
    pub shadow: AllocInfo,
    /// Address of a shadow byte minus address of its primal byte.
    pub distance: i64,
    /// The address that the name stands for.
    pub root: u64,
    /// How the object is reached, such as `x` or `*(list+8)`.
    pub name: String,
    /// Reached only through `enzyme_dupnoneed`?
    pub noneed: bool,
    /// What the source calls its parts.
    layout: Option<Rc<Layout>>,
}

/// All pairs of a call.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    pairs: Vec<Pair>,
    /// Indices of pairs by the base address of their primal object.
    by_base: BTreeMap<u64, Vec<usize>>,
}

/// Objects followed at most; a guard against absurd structures.
const MOST: usize = 1 << 20;

impl Regions {
    /// Follows the roots through the memory on entry.
    pub fn follow(module: &Module, memory: &Memory<()>, roots: &[Root]) -> Regions {
        let mut regions = Regions::default();
        let mut layouts: HashMap<MdId, Option<Rc<Layout>>> = HashMap::default();
        let mut work: Vec<Root> = roots.iter().rev().cloned().collect();
        while let Some(root) = work.pop() {
            let Root { primal, shadow, name, noneed, declared, at_run_time } = root;
            let (Some(p), Some(s)) = (memory.info(primal), memory.info(shadow)) else { continue };
            if p.life != Life::Live || s.life != Life::Live || p.size == 0 || regions.pairs.len() >= MOST {
                continue;
            }
            let distance = shadow.addr.wrapping_sub(primal.addr) as i64;
            if at_run_time && distance == 0 {
                continue;
            }
            // Nothing lies behind the ends of two objects that belong together: blocks of other lengths (a vector's
            // capacity) have ends at other distances.
            let ends = primal.addr == p.base + p.size && shadow.addr == s.base + s.size;
            let known = regions.by_base.get(&p.base).into_iter().flatten().map(|i| &regions.pairs[*i]);
            if known.filter(|k| k.shadow.id == s.id).any(|k| ends || k.distance == distance) {
                continue;
            }
            let layout =
                declared.and_then(|ty| layouts.entry(ty).or_insert_with(|| Layout::behind(module, ty)).clone());
            // The first pointer is followed first and gives its name to what others lead to as well.
            for (offset, inner, inner_shadow) in pointers(memory, &p, &s, distance).into_iter().rev() {
                let from = (p.base + offset).wrapping_sub(primal.addr) as i64;
                let named = layout.as_ref().and_then(|l| l.name(&name, from, 8, l.is_alone(p.size)));
                let place = named.unwrap_or_else(|| match from {
                    0 => format!("*{name}"),
                    _ => format!("*({name}{from:+})"),
                });
                let declared = layout.as_ref().and_then(|l| l.type_at(from));
                work.push(Root { primal: inner, shadow: inner_shadow, name: place, noneed, declared, at_run_time });
            }
            regions.by_base.entry(p.base).or_default().push(regions.pairs.len());
            regions.pairs.push(Pair { primal: p, shadow: s, distance, root: primal.addr, name, noneed, layout });
        }
        regions
    }

    /// The pairs.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pair of a primal cell: of several for one object, the one whose root is the nearest before the cell.
    pub fn pair_of(&self, address: u64, size: u64) -> Option<&Pair> {
        let (_, candidates) = self.by_base.range(..=address).next_back()?;
        let fits = |pair: &&Pair| {
            let end = pair.primal.base + pair.primal.size;
            let shadow = address.wrapping_add_signed(pair.distance);
            let shadow_end = pair.shadow.base + pair.shadow.size;
            address + size <= end && shadow >= pair.shadow.base && shadow + size <= shadow_end
        };
        let fitting = || candidates.iter().map(|i| &self.pairs[*i]).filter(fits);
        fitting().filter(|pair| pair.root <= address).max_by_key(|pair| pair.root).or_else(|| fitting().next())
    }

    /// The shadow of a primal cell.
    pub fn shadow_of(&self, address: u64, size: u64) -> Option<Pointer> {
        let pair = self.pair_of(address, size)?;
        Some(
            pair.shadow
                .pointer()
                .offset(address.wrapping_add_signed(pair.distance).wrapping_sub(pair.shadow.base) as i64),
        )
    }

    /// The primal objects.
    pub fn primals(&self) -> impl Iterator<Item = AllocId> {
        self.pairs.iter().map(|p| p.primal.id)
    }

    /// The shadow objects.
    pub fn shadows(&self) -> impl Iterator<Item = AllocId> {
        self.pairs.iter().map(|p| p.shadow.id)
    }

    /// A primal pointer to the cell at an address of a paired object.
    pub fn primal_pointer(&self, address: u64, size: u64) -> Option<Pointer> {
        let pair = self.pair_of(address, size)?;
        Some(pair.primal.pointer().offset(address.wrapping_sub(pair.primal.base) as i64))
    }

    /// The format of the number that the source declares to begin at a primal address.
    pub fn declared(&self, address: u64) -> Option<FloatKind> {
        let pair = self.pair_of(address, 1)?;
        pair.layout.as_ref()?.number_at(address.wrapping_sub(pair.root) as i64)
    }

    /// The name of the cell at a primal address, such as `x[3]`.
    pub fn name(&self, address: u64, size: u64) -> String {
        let Some(pair) = self.pair_of(address, size) else { return format!("{address:#x}") };
        let offset = address.wrapping_sub(pair.root) as i64;
        let declared =
            pair.layout.as_ref().and_then(|l| l.name(&pair.name, offset, size, l.is_alone(pair.primal.size)));
        if let Some(declared) = declared {
            return declared;
        }
        let step = size.max(1) as i64;
        match (offset % step, pair.primal.size == size) {
            (_, true) => pair.name.strip_prefix('&').map_or_else(|| format!("*{}", pair.name), str::to_owned),
            (0, false) => format!("{}[{}]", pair.name, offset / step),
            (_, false) => format!("*({}{offset:+})", pair.name),
        }
    }
}

/// A pointer on exit whose shadow leads to memory that is gone.
pub struct Gone {
    /// Where it lies in primal memory.
    pub name: String,
    /// What its shadow leads to.
    pub object: AllocInfo,
}

/// After the call: the first pointer in paired memory, and in what it leads to, to an object that is there while the
/// object that its shadow points to is not, though it was when the call began or has been made in the call.
pub fn gone<S: Shadow>(regions: &Regions, before: &Memory<()>, after: &Memory<S>) -> Option<Gone> {
    let pairs = regions.pairs().iter().rev();
    let mut work: Vec<_> =
        pairs.map(|p| (p.primal.pointer(), p.shadow.pointer(), p.distance, p.name.clone())).collect();
    let mut seen: HashSet<(AllocId, AllocId)> = HashSet::default();
    while let Some((primal, shadow, distance, name)) = work.pop() {
        let (Some(p), Some(s)) = (after.info(primal), after.info(shadow)) else { continue };
        if p.life != Life::Live || s.life != Life::Live || !seen.insert((p.id, s.id)) {
            continue;
        }
        for (offset, inner, inner_shadow) in pointers(after, &p, &s, distance) {
            let name = if offset == 0 { format!("*{name}") } else { format!("*({name}+{offset})") };
            let (Some(object), Some(of_shadow)) = (after.info(inner), after.info(inner_shadow)) else { continue };
            let was_there = before.info(inner_shadow).is_none_or(|b| b.id != of_shadow.id || b.life == Life::Live);
            if object.life == Life::Live && of_shadow.life != Life::Live && was_there {
                return Some(Gone { name, object: of_shadow });
            }
            let apart = inner_shadow.addr.wrapping_sub(inner.addr) as i64;
            work.push((inner, inner_shadow, apart, name));
        }
    }
    None
}

/// The places of an object that hold a pointer, where its shadow holds one too.
fn pointers<S: Shadow>(
    memory: &Memory<S>,
    p: &AllocInfo,
    s: &AllocInfo,
    distance: i64,
) -> Vec<(u64, Pointer, Pointer)> {
    let Some(data) = memory.data(p.id) else { return Vec::new() };
    let first = (p.base.next_multiple_of(8) - p.base) as usize;
    let mut found = Vec::new();
    for offset in (first..data.size()).step_by(8) {
        if data.state(offset) != state::POINTER {
            continue;
        }
        let at = p.pointer().offset(offset as i64);
        let shadow_offset = at.addr.wrapping_add_signed(distance).wrapping_sub(s.base);
        if shadow_offset >= s.size {
            continue;
        }
        let load = |pointer| memory.load_ptr(pointer, 1).ok().filter(|v| v.is_init()).map(|v| v.as_ptr());
        if let (Some(inner), Some(shadow)) = (load(at), load(s.pointer().offset(shadow_offset as i64))) {
            // A null shadow is none: the program says that nothing behind this pointer is differentiated.
            if !inner.is_null() && !shadow.is_null() && memory.function_at(inner).is_none() {
                found.push((offset as u64, inner, shadow));
            }
        }
    }
    found
}
