//! How libstdc++ lays the classes of streams over strings and over files out.
//!
//! A stream is its virtual table, for input a count, the buffer, and the virtual base `std::ios` behind it. The virtual
//! tables that inlined constructors and destructors refer to are made here. They hold offsets; in the place of each
//! virtual function stands a pointer that is known to be none, so that a call of one (of `sgetc` at the end of a
//! buffer, of the destructor through a base class) is refused, not undefined.

use super::ios;
use crate::link::Symbols;
use crate::machine::Machine;
use crate::memory::shadow::Shadow;
use crate::memory::{AllocKind, Memory};
use crate::outcome::Res;
use crate::shims::state::Interp;
use crate::value::{Leaf, Pointer, Scalar};

/// Bits of `std::ios_base::openmode`.
pub mod mode {
    pub const APPEND: u64 = 1;
    pub const AT_END: u64 = 2;
    pub const BINARY: u64 = 4;
    pub const IN: u64 = 8;
    pub const OUT: u64 = 16;
    pub const TRUNCATE: u64 = 32;
}

/// What a stream of a class can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Output.
    Out,
    /// Input.
    In,
    /// Both.
    Both,
}

/// A class of streams.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Its mangled name, without the letters around a nested one.
    pub name: &'static str,
    /// What its streams can do.
    pub way: Way,
    /// Bytes of its buffer.
    pub size: i64,
}

impl Class {
    /// Where the buffer is: behind a virtual table for each direction, and the count of what was read.
    pub const fn buffer(self) -> i64 {
        match self.way {
            Way::Out => 8,
            Way::In => 16,
            Way::Both => 24,
        }
    }

    /// Where the virtual base is.
    pub const fn ios(self) -> i64 {
        self.buffer() + self.size
    }

    /// What every stream of the class is opened for.
    pub const fn mode(self) -> u64 {
        match self.way {
            Way::Out => mode::OUT,
            Way::In => mode::IN,
            Way::Both => 0,
        }
    }
}

/// Bytes of a `std::stringbuf`, and of a `std::filebuf`.
pub const STRING_BUFFER: i64 = 104;
pub const FILE_BUFFER: i64 = 240;

/// `std::ostringstream`, `std::istringstream` and `std::stringstream`.
pub const OVER_STRINGS: [Class; 3] = [
    Class { name: "St7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE", way: Way::Out, size: STRING_BUFFER },
    Class { name: "St7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE", way: Way::In, size: STRING_BUFFER },
    Class { name: "St7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE", way: Way::Both, size: STRING_BUFFER },
];
/// `std::ofstream`, `std::ifstream` and `std::fstream`.
pub const OVER_FILES: [Class; 3] = [
    Class { name: "St14basic_ofstreamIcSt11char_traitsIcEE", way: Way::Out, size: FILE_BUFFER },
    Class { name: "St14basic_ifstreamIcSt11char_traitsIcEE", way: Way::In, size: FILE_BUFFER },
    Class { name: "St13basic_fstreamIcSt11char_traitsIcEE", way: Way::Both, size: FILE_BUFFER },
];

/// Where the output part of a stream for both begins.
const OUTPUT_PART: i64 = 16;
/// Bytes of a virtual table in front of what an object refers to it by, and of the most virtual functions there are
/// behind it.
const HEAD: i64 = 24;
const FUNCTIONS: i64 = 16 * 8;
/// Where the library's own tables of buffers tell which kind of buffer it is (an offset that is zero in those of the
/// ABI): other executions on the same memory, whose tables these are not, see it too.
const KIND: i64 = -16;

/// A virtual table that holds the offset of the virtual base: the address that an object refers to it by.
pub fn table<S: Shadow>(memory: &mut Memory<S>, ios: i64) -> Res<Pointer> {
    let table = memory.allocate((HEAD + FUNCTIONS) as u64, 16, AllocKind::Runtime, None)?;
    lay_out(memory, table, (ios, FUNCTIONS), table)?;
    Ok(table.offset(HEAD))
}

fn lay_out<S: Shadow>(memory: &mut Memory<S>, at: Pointer, (ios, functions): (i64, i64), none: Pointer) -> Res {
    memory.fill(at, Scalar::word(0), (HEAD + functions) as u64)?;
    memory.store(at, Leaf::Int(64), Scalar::word(ios as u64), 8)?;
    (HEAD..HEAD + functions)
        .step_by(8)
        .try_for_each(|offset| memory.store(at.offset(offset), Leaf::Ptr, Scalar::ptr(none), 8))
}

fn stream_table<M: Machine>(i: &mut Interp<'_, M>, ios: i64) -> Res<Pointer> {
    let known = i.runtime.streams.streams.iter().find(|(offset, _)| *offset == ios);
    if let Some((_, made)) = known {
        return Ok(*made);
    }
    let made = table(&mut i.memory, ios)?;
    i.runtime.streams.streams.push((ios, made));
    Ok(made)
}

/// The table of buffers over strings (0) or files (1).
pub fn buffer_table<M: Machine>(i: &mut Interp<'_, M>, which: usize) -> Res<Pointer> {
    if let Some(made) = i.runtime.streams.buffers[which] {
        return Ok(made);
    }
    let made = table(&mut i.memory, 0)?;
    i.memory.store(made.offset(KIND), Leaf::Int(64), Scalar::word(1 + which as u64), 8)?;
    i.runtime.streams.buffers[which] = Some(made);
    Ok(made)
}

fn facet<M: Machine>(i: &mut Interp<'_, M>) -> Res<Pointer> {
    if let Some(made) = i.runtime.streams.ctype {
        return Ok(made);
    }
    let made = ios::ctype(&mut i.memory)?;
    i.runtime.streams.ctype = Some(made);
    Ok(made)
}

/// Fills the tables that the program refers to by name: its inlined constructors and destructors do.
pub fn initialise(symbols: Symbols<'_>, memory: &mut Memory<()>) -> Res {
    let mut none = None;
    for (id, global) in symbols.module.globals.iter().filter(|(_, g)| g.init.is_none() && g.alias_of.is_none()) {
        let Some(rest) = global.name.strip_prefix("_ZT") else { continue };
        let (kind, name) = rest.split_at(1.min(rest.len()));
        let name = name.strip_prefix('N').and_then(|nested| nested.strip_suffix('E')).unwrap_or(name);
        let known = OVER_STRINGS.into_iter().chain(OVER_FILES);
        let Some(class) = known.into_iter().find(|class| class.name == name) else { continue };
        let at = symbols.globals[id];
        let both = class.way == Way::Both;
        match kind {
            "V" => {
                let none = match none {
                    Some(made) => made,
                    None => *none.insert(memory.allocate(8, 8, AllocKind::Runtime, None)?),
                };
                // One table for each base class with an address of its own, with its two destructors.
                let offsets: &[i64] =
                    if both { &[class.ios(), class.ios() - OUTPUT_PART, 0] } else { &[class.ios(), 0] };
                for (index, offset) in offsets.iter().enumerate() {
                    lay_out(memory, at.offset(40 * index as i64), (*offset, 16), none)?;
                }
            }
            "T" => {
                // The tables to use while base classes are made and destroyed (Itanium C++ ABI 2.6.2); O: the output
                // part's.
                let whole = table(memory, class.ios())?;
                let (output, base) = (table(memory, class.ios() - OUTPUT_PART)?, table(memory, 0)?);
                let order: &[Pointer] = if both {
                    &[whole, whole, whole, base, output, base, base, output, base, output]
                } else {
                    &[whole, whole, base, base]
                };
                for (index, pointer) in order.iter().enumerate() {
                    memory.store(at.offset(8 * index as i64), Leaf::Ptr, Scalar::ptr(*pointer), 8)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes a stream of an object, but for its buffer, which the result is the place of.
pub fn construct<M: Machine>(i: &mut Interp<'_, M>, object: Pointer, class: Class) -> Res<Pointer> {
    let own = stream_table(i, class.ios())?;
    i.memory.store(object, Leaf::Ptr, Scalar::ptr(own), 8)?;
    if class.way != Way::Out {
        i.memory.store(object.offset(8), Leaf::Int(64), Scalar::word(0), 8)?;
    }
    if class.way == Way::Both {
        let second = stream_table(i, class.ios() - OUTPUT_PART)?;
        i.memory.store(object.offset(OUTPUT_PART), Leaf::Ptr, Scalar::ptr(second), 8)?;
    }
    let buffer = object.offset(class.buffer());
    start_ios(i, object.offset(class.ios()), buffer)?;
    Ok(buffer)
}

/// Sets the virtual base of a stream over a buffer up.
pub fn start_ios<M: Machine>(i: &mut Interp<'_, M>, part: Pointer, buffer: Pointer) -> Res {
    let ctype = facet(i)?;
    ios::start(&mut i.memory, part, buffer, ctype)
}

/// Does the virtual table of a buffer say that it is of the class of that name, or that the library made it as one of
/// `which`?
pub fn is_buffer<M: Machine>(i: &Interp<'_, M>, object: Pointer, name: &str, which: usize) -> bool {
    let Some(table) = i.memory.load_ptr(object, 8).ok().filter(|table| table.is_init()) else { return false };
    let table = table.as_ptr();
    match i.memory.info(table).map(|o| o.kind) {
        Some(AllocKind::Global(id)) => i.program.module.globals[id].name.strip_prefix("_ZTV") == Some(name),
        Some(AllocKind::Runtime) => {
            let kind = i.memory.load(table.offset(KIND), Leaf::Int(64), 8);
            kind.is_ok_and(|kind| kind.is_init() && kind.lo == 1 + which as u64)
        }
        _ => false,
    }
}
