//! `std::cout`, `std::cerr`, `std::clog` and `std::cin` as objects, what all streams share, and positions.
//!
//! The stream objects are laid out as libstdc++'s, because its headers reach into them: a virtual table whose entry at
//! -24 leads to the `std::ios` part, and there precision (8), width (16), flags (24), state (32), fill character (224)
//! and the `ctype` facet (240), whose table of widened characters starts at 57.

use super::filebuf::FileBuf;
use super::ios::{self, flag, start, state};
use super::stringbuf::StringBuf;
use crate::link::Symbols;
use crate::machine::Machine;
use crate::memory::{AllocKind, Memory};
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::output::Stream;
use crate::shim_call::ShimCall;
use crate::shims::files;
use crate::shims::state::{Interp, Shim};
use crate::thrown::pointer;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The stream of a global object.
fn stream_of(name: &str) -> Option<Stream> {
    match name {
        "_ZSt4cout" => Some(Stream::Out),
        "_ZSt4cerr" | "_ZSt4clog" => Some(Stream::Err),
        _ => None,
    }
}

/// Lays out the standard streams that the program refers to.
pub fn initialise(symbols: Symbols<'_>, memory: &mut Memory<()>) -> Res {
    let mut facet = None;
    for (id, global) in symbols.module.globals.iter().filter(|(_, g)| g.init.is_none() && g.alias_of.is_none()) {
        let input = global.name == "_ZSt3cin";
        if !input && stream_of(&global.name).is_none() {
            continue;
        }
        let ctype = match facet {
            Some(made) => made,
            None => *facet.insert(ios::ctype(memory)?),
        };
        let at = symbols.globals[id];
        let part = at.offset(if input { 16 } else { 8 });
        let table = memory.allocate(64, 16, AllocKind::Runtime, None)?;
        memory.fill(table, Scalar::word(0), 64)?;
        memory.store(table, Leaf::Int(64), Scalar::word(part.addr - at.addr), 8)?;
        memory.fill(part, Scalar::word(0), ios::SIZE)?;
        memory.store(at, Leaf::Ptr, Scalar::ptr(table.offset(24)), 8)?;
        if input {
            memory.store(at.offset(8), Leaf::Int(64), Scalar::word(0), 8)?;
        }
        // As the buffer something that is not null: the program never looks into it.
        start(memory, part, table, ctype)?;
        if global.name == "_ZSt4cerr" {
            let flags = flag::SKIPWS | flag::DEC | flag::UNITBUF;
            memory.store(part.offset(ios::FLAGS), Leaf::Int(32), Scalar::word(flags), 4)?;
        }
    }
    Ok(())
}

/// A stream and its `std::ios` part.
pub struct Target {
    object: Pointer,
    pub part: Pointer,
    /// The call that concerns it.
    at: Location,
}

/// Where characters go to or come from.
pub enum Place {
    /// One of the program's standard streams for output.
    Out(Stream),
    /// Its standard input.
    In,
    /// A string.
    Text(StringBuf),
    /// A file.
    File(FileBuf),
}

/// What a buffer of the program is over.
pub fn place_of<M: Machine>(i: &Interp<'_, M>, buffer: Pointer) -> Option<Place> {
    let text = StringBuf::at(i, buffer).map(Place::Text);
    text.or_else(|| FileBuf::at(i, buffer).map(Place::File))
}

impl Target {
    /// The stream that is the first argument.
    pub fn of<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Target> {
        let object = c.ptr(0)?;
        let table = pointer(i.memory.load_ptr(object, 8)?)?;
        let offset = i.memory.load(table.offset(-24), Leaf::Int(64), 8)?.lo;
        Ok(Target { object, part: object.offset(offset as i64), at: c.at })
    }

    /// A field of the `std::ios` part.
    pub fn field<M: Machine>(&self, i: &Interp<'_, M>, offset: i64, bits: u8) -> Res<u64> {
        let value = i.memory.load(self.part.offset(offset), Leaf::Int(bits), 1)?;
        if value.is_init() {
            return Ok(value.lo);
        }
        Err(Fault::ub(UbKind::Uninitialised, "a stream is used that was never constructed"))
    }

    /// Sets it.
    pub fn set<M: Machine>(&self, i: &mut Interp<'_, M>, offset: i64, bits: u8, value: u64) -> Res {
        i.memory.store(self.part.offset(offset), Leaf::Int(bits), Scalar::word(value), 1)
    }

    pub fn flags<M: Machine>(&self, i: &Interp<'_, M>) -> Res<u64> {
        self.field(i, ios::FLAGS, 32)
    }

    /// Where its characters go to or come from.
    pub fn place<M: Machine>(&self, i: &Interp<'_, M>) -> Res<Place> {
        if let Some(AllocKind::Global(id)) = i.memory.info(self.object).map(|o| o.kind) {
            let name = &i.program.module.globals[id].name;
            if let Some(stream) = stream_of(name) {
                return Ok(Place::Out(stream));
            }
            if name == "_ZSt3cin" {
                return Ok(Place::In);
            }
        }
        let buffer = pointer(i.memory.load_ptr(self.part.offset(ios::BUFFER), 8)?)?;
        place_of(i, buffer).ok_or_else(|| {
            Fault::unsupported("a stream that is neither one of the standard streams nor over a string or a file")
        })
    }

    /// Where the call is.
    pub fn at(&self) -> Location {
        self.at
    }

    /// All is well.
    pub fn clear<M: Machine>(&self, i: &mut Interp<'_, M>) -> Res {
        self.set(i, ios::STATE, 32, 0)
    }

    /// An operation failed.
    pub fn fail<M: Machine>(&self, i: &mut Interp<'_, M>) -> Res {
        self.add(i, state::FAIL)
    }

    /// Adds to the state.
    pub fn add<M: Machine>(&self, i: &mut Interp<'_, M>, bits: u64) -> Res {
        let state = self.field(i, ios::STATE, 32)? | bits;
        self.set(i, ios::STATE, 32, state)
    }

    /// What was written reaches its place.
    pub fn flush<M: Machine>(&self, i: &mut Interp<'_, M>) -> Res {
        i.output.flush();
        if let Place::File(buffer) = self.place(i)? {
            buffer.flush(i);
        }
        Ok(())
    }

    /// The position for output or input; none where there is none.
    pub fn tell<M: Machine>(&self, i: &mut Interp<'_, M>, output: bool) -> Res<Option<u64>> {
        if self.field(i, ios::STATE, 32)? & (state::BAD | state::FAIL) != 0 {
            return Ok(None);
        }
        match self.place(i)? {
            Place::Text(buffer) => buffer.tell(i, output),
            Place::File(buffer) => Ok(buffer.tell(i)),
            Place::Out(_) | Place::In => {
                Err(Fault::unsupported("the position of a standard stream, which depends on where it leads"))
            }
        }
    }

    /// Moves the position for output or input ([ostream.seeks], [istream.unformatted]), from the begin (0), from where
    /// it is (1) or from the end (2).
    fn seek<M: Machine>(&self, i: &mut Interp<'_, M>, output: bool, by: i64, whence: i64) -> Res {
        if !output {
            // "first clears eofbit"
            let state = self.field(i, ios::STATE, 32)? & !state::EOF;
            self.set(i, ios::STATE, 32, state)?;
        }
        if self.field(i, ios::STATE, 32)? & (state::BAD | state::FAIL) != 0 {
            return Ok(());
        }
        let done = match self.place(i)? {
            Place::Text(buffer) => {
                let base = match whence {
                    0 => Some(0),
                    1 => buffer.tell(i, output)?,
                    _ => Some(buffer.bytes(i)?.len() as u64),
                };
                let to = base.and_then(|base| (base as i64).checked_add(by));
                to.map_or(Ok(false), |to| buffer.seek(i, output, to))?
            }
            Place::File(buffer) => buffer.seek(i, by, whence),
            Place::Out(_) | Place::In => {
                return Err(Fault::unsupported("the position of a standard stream, which depends on where it leads"));
            }
        };
        if done { Ok(()) } else { self.fail(i) }
    }

    /// Prints unformatted text; nothing on a stream that is not good ([ostream.sentry]).
    pub fn write<M: Machine>(&self, i: &mut Interp<'_, M>, text: &[u8]) -> Res {
        match self.field(i, ios::STATE, 32)? {
            0 => {}
            state if state & state::BAD != 0 => return self.fail(i),
            _ => return Ok(()),
        }
        match self.place(i)? {
            Place::Out(stream) => drop(files::write(i, files::standard(stream), text, self.at)?),
            Place::Text(buffer) => buffer.write(i, text, self.at)?,
            Place::File(buffer) => {
                if !buffer.is_open(i)? || !files::write(i, buffer.key(), text, self.at)? {
                    self.add(i, state::BAD)?;
                }
            }
            Place::In => return Err(Fault::unsupported("output to std::cin")),
        }
        Ok(())
    }
}

/// The result of a function of a stream: the stream.
pub fn itself<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    Ok(Value::ptr(c.ptr(0)?))
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    positions(name).or_else(|| states(name))
}

/// Positions: `std::streampos` is two words, of which the second is the state of a conversion that is none.
fn positions<M: Machine>(name: &str) -> Option<Shim<M>> {
    macro_rules! tells {
        ($output:literal) => {
            |i, c| {
                let at = Target::of(i, c)?.tell(i, $output)?;
                let words = [at.map_or(u64::MAX, |at| at), 0].map(|word| (Scalar::word(word), M::Shadow::default()));
                Ok(Value { leaves: words.into_iter().collect() })
            }
        };
    }
    macro_rules! seeks {
        ($output:literal, |$c:ident| $whence:expr) => {
            |i, $c| {
                let target = Target::of(i, $c)?;
                target.seek(i, $output, $c.int(1)?, $whence)?;
                itself::<M>($c)
            }
        };
    }
    Some(match name {
        "_ZNSo5tellpEv" => tells!(true),
        "_ZNSi5tellgEv" => tells!(false),
        "_ZNSo5seekpESt4fposI11__mbstate_tE" => seeks!(true, |c| 0),
        "_ZNSi5seekgESt4fposI11__mbstate_tE" => seeks!(false, |c| 0),
        "_ZNSo5seekpElSt12_Ios_Seekdir" => seeks!(true, |c| c.int(2)?),
        "_ZNSi5seekgElSt12_Ios_Seekdir" => seeks!(false, |c| c.int(2)?),
        _ => return None,
    })
}

/// Questions about the state, asked of the `std::ios` part.
fn states<M: Machine>(name: &str) -> Option<Shim<M>> {
    use state::{BAD, EOF, FAIL};
    let member = name.strip_prefix("_ZNKSt9basic_iosIcSt11char_traitsIcEE");
    if name == "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate" {
        return Some(|i, c| {
            i.memory.store(c.ptr(0)?.offset(ios::STATE), Leaf::Int(32), c.leaf(1)?, 4)?;
            Ok(Value::void())
        });
    }
    macro_rules! asks {
        (|$state:ident| $answer:expr) => {
            |i, c| {
                let $state = i.memory.load(c.ptr(0)?.offset(ios::STATE), Leaf::Int(32), 4)?.lo;
                Ok(Value::i32(i32::from($answer)))
            }
        };
    }
    Some(match member? {
        "cvbEv" => asks!(|state| state & (BAD | FAIL) == 0),
        "ntEv" | "4failEv" => asks!(|state| state & (BAD | FAIL) != 0),
        "4goodEv" => asks!(|state| state == 0),
        "3eofEv" => asks!(|state| state & EOF != 0),
        "3badEv" => asks!(|state| state & BAD != 0),
        "5widenEc" => |_, c| Ok(Value::i32(c.uint(1)? as i32)),
        _ => return None,
    })
}
