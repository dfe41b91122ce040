//! `std::cout`, `std::cerr`, `std::clog` and `std::cin` as objects, what all streams share, formatted output, and
//! positions.
//!
//! The stream objects are laid out as libstdc++'s, because its headers reach into them: a virtual table whose entry at
//! -24 leads to the `std::ios` part, and there precision (8), width (16), flags (24), state (32), fill character (224)
//! and the `ctype` facet (240), whose table of widened characters starts at 57. Numbers are formatted by `printf`'s
//! engine ([facet.num.put.virtuals] defines them so).

use super::filebuf::FileBuf;
use super::string::Text;
use super::stringbuf::StringBuf;
use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::memory::{AllocKind, Memory};
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::output::Stream;
use crate::program::Program;
use crate::shims::files;
use crate::shims::format::spec::{Length, Spec};
use crate::unwind::exceptions;
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::FloatKind;

/// Offsets in the `std::ios` part.
pub mod ios {
    pub const PRECISION: i64 = 8;
    pub const WIDTH: i64 = 16;
    pub const FLAGS: i64 = 24;
    pub const STATE: i64 = 32;
    pub const FILL: i64 = 224;
    pub const FILL_SET: i64 = 225;
    pub const BUFFER: i64 = 232;
    pub const CTYPE: i64 = 240;
    pub const SIZE: u64 = 264;
}

/// Bits of `std::ios_base::fmtflags`.
mod flag {
    pub const BOOLALPHA: u64 = 1;
    pub const DEC: u64 = 2;
    pub const FIXED: u64 = 4;
    pub const HEX: u64 = 8;
    pub const INTERNAL: u64 = 0x10;
    pub const LEFT: u64 = 0x20;
    pub const OCT: u64 = 0x40;
    pub const ADJUST: u64 = 0xb0;
    pub const SCIENTIFIC: u64 = 0x100;
    pub const SHOWBASE: u64 = 0x200;
    pub const SHOWPOINT: u64 = 0x400;
    pub const SHOWPOS: u64 = 0x800;
    pub const SKIPWS: u64 = 0x1000;
    pub const UNITBUF: u64 = 0x2000;
    pub const UPPERCASE: u64 = 0x4000;
}

/// The stream of a global object.
fn stream_of(name: &str) -> Option<Stream> {
    match name {
        "_ZSt4cout" => Some(Stream::Out),
        "_ZSt4cerr" | "_ZSt4clog" => Some(Stream::Err),
        _ => None,
    }
}

/// Lays out the standard streams that the program refers to.
pub fn initialise(program: &Program, memory: &mut Memory<()>) -> Res {
    let mut facet = None;
    for (id, global) in program.module.globals.iter().filter(|(_, g)| g.init.is_none() && g.alias_of.is_none()) {
        let input = global.name == "_ZSt3cin";
        if !input && stream_of(&global.name).is_none() {
            continue;
        }
        let ctype = match facet {
            Some(made) => made,
            None => *facet.insert(ctype(memory)?),
        };
        let at = program.globals[id];
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

/// Sets the `std::ios` part of a stream up, but for its virtual table ([basic.ios.cons]: the effects of `init`).
pub fn start<S: Shadow>(memory: &mut Memory<S>, part: Pointer, buffer: Pointer, ctype: Pointer) -> Res {
    memory.fill(part.offset(8), Scalar::word(0), ios::SIZE - 8)?;
    memory.store(part.offset(ios::PRECISION), Leaf::Int(64), Scalar::word(6), 8)?;
    memory.store(part.offset(ios::FLAGS), Leaf::Int(32), Scalar::word(flag::SKIPWS | flag::DEC), 4)?;
    let state = if buffer.is_null() { state::BAD } else { 0 };
    memory.store(part.offset(ios::STATE), Leaf::Int(32), Scalar::word(state), 4)?;
    memory.write_bytes(part.offset(ios::FILL), b" ")?;
    memory.write_bytes(part.offset(ios::FILL_SET), &[1])?;
    memory.store(part.offset(ios::BUFFER), Leaf::Ptr, Scalar::ptr(buffer), 8)?;
    memory.store(part.offset(ios::CTYPE), Leaf::Ptr, Scalar::ptr(ctype), 8)
}

/// The facet of the C locale: every character is its own wide form.
pub fn ctype<S: Shadow>(memory: &mut Memory<S>) -> Res<Pointer> {
    let facet = memory.allocate(576, 16, AllocKind::Runtime, None)?;
    memory.fill(facet, Scalar::word(0), 576)?;
    let identity: Vec<u8> = (0..=255).collect();
    memory.write_bytes(facet.offset(56), &[1])?;
    memory.write_bytes(facet.offset(57), &identity)?;
    Ok(facet)
}

/// A stream and its `std::ios` part.
pub struct Target {
    object: Pointer,
    part: Pointer,
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

/// Bits of `std::ios_base::iostate`.
pub mod state {
    pub const BAD: u64 = 1;
    pub const EOF: u64 = 2;
    pub const FAIL: u64 = 4;
}

/// What a buffer of the program is over.
fn place_of<M: Machine>(i: &Interp<'_, M>, buffer: Pointer) -> Option<Place> {
    let text = StringBuf::at(i, buffer).map(Place::Text);
    text.or_else(|| FileBuf::at(i, buffer).map(Place::File))
}

impl Target {
    /// The stream that is the first argument.
    pub fn of<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Target> {
        let object = c.ptr(0)?;
        let table = exceptions::pointer(i.memory.load_ptr(object, 8)?)?;
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

    fn flags<M: Machine>(&self, i: &Interp<'_, M>) -> Res<u64> {
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
        let buffer = exceptions::pointer(i.memory.load_ptr(self.part.offset(ios::BUFFER), 8)?)?;
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
    fn flush<M: Machine>(&self, i: &mut Interp<'_, M>) -> Res {
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
    fn write<M: Machine>(&self, i: &mut Interp<'_, M>, text: &[u8]) -> Res {
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

    /// Prints text padded to the width, which is then forgotten; `head` characters stand before internal padding.
    fn padded<M: Machine>(&self, i: &mut Interp<'_, M>, text: &[u8], head: usize) -> Res {
        let width = self.field(i, ios::WIDTH, 64)? as i64;
        let fill = self.field(i, ios::FILL, 8)? as u8;
        let missing = usize::try_from(width).unwrap_or(0).saturating_sub(text.len());
        let padding = vec![fill; missing.min(1 << 24)];
        let whole = match self.flags(i)? & flag::ADJUST {
            flag::LEFT => [text, &padding].concat(),
            flag::INTERNAL => [&text[..head], &padding, &text[head..]].concat(),
            _ => [&padding, text].concat(),
        };
        self.set(i, ios::WIDTH, 64, 0)?;
        self.write(i, &whole)
    }

    fn spec<M: Machine>(&self, i: &Interp<'_, M>) -> Res<Spec> {
        let flags = self.flags(i)?;
        Ok(Spec {
            left: false,
            plus: flags & flag::SHOWPOS != 0,
            space: false,
            alternative: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Long,
            conversion: 0,
        })
    }

    fn integer<M: Machine>(&self, i: &mut Interp<'_, M>, value: u64, signed: bool, bits: u8) -> Res {
        let flags = self.flags(i)?;
        let upper = flags & flag::UPPERCASE != 0;
        let mut spec = Spec { alternative: flags & flag::SHOWBASE != 0, ..self.spec(i)? };
        spec.conversion = match (flags & flag::HEX != 0, flags & flag::OCT != 0, signed) {
            (true, false, _) if upper => b'X',
            (true, false, _) => b'x',
            (false, true, _) => b'o',
            (_, _, true) => b'd',
            (_, _, false) => b'u',
        };
        let narrow = value & crate::value::mask64(bits);
        let text = if spec.conversion == b'd' { spec.signed(value) } else { spec.unsigned(narrow) };
        let head = match text.as_slice() {
            [b'0', b'x' | b'X', ..] => 2,
            [b'+' | b'-', ..] => 1,
            _ => 0,
        };
        self.padded(i, &text, head)
    }

    fn float<M: Machine>(&self, i: &mut Interp<'_, M>, kind: FloatKind, bits: u128) -> Res {
        let flags = self.flags(i)?;
        let upper = flags & flag::UPPERCASE != 0;
        let (fixed, scientific) = (flags & flag::FIXED != 0, flags & flag::SCIENTIFIC != 0);
        let letter = match (fixed, scientific) {
            (true, true) => b'a',
            (true, false) => b'f',
            (false, true) => b'e',
            (false, false) => b'g',
        };
        let precision = self.field(i, ios::PRECISION, 64)? as usize;
        let spec = Spec {
            alternative: flags & flag::SHOWPOINT != 0,
            precision: (letter != b'a').then_some(precision.min(1 << 20)),
            conversion: if upper { letter.to_ascii_uppercase() } else { letter },
            ..self.spec(i)?
        };
        let text = spec.float(kind, bits);
        let head = usize::from(matches!(text.first(), Some(b'+' | b'-')));
        self.padded(i, &text, head)
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    output(name).or_else(|| positions(name)).or_else(|| states(name))
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

/// The result of an output function: the stream.
pub fn itself<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    Ok(Value::ptr(c.ptr(0)?))
}

/// A printed number's shadow ends.
fn printed<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) {
    if let Some(shadow) = c.shadows.get(1).filter(|s| !s.is_absent()) {
        i.machine.lost(shadow, Loss::Library, c.at);
    }
}

fn output<M: Machine>(name: &str) -> Option<Shim<M>> {
    macro_rules! prints {
        (|$i:ident, $c:ident, $to:ident| $body:expr) => {
            |$i, $c| {
                let $to = Target::of($i, $c)?;
                printed($i, $c);
                $body;
                itself::<M>($c)
            }
        };
    }
    Some(match name {
        "_ZNSolsEi" | "_ZNSolsEs" => prints!(|i, c, to| to.integer(i, c.int(1)? as u64, true, 32)?),
        "_ZNSolsEj" | "_ZNSolsEt" => prints!(|i, c, to| to.integer(i, c.uint(1)?, false, 32)?),
        "_ZNSolsEl" | "_ZNSolsEx" | "_ZNSo9_M_insertIlEERSoT_" | "_ZNSo9_M_insertIxEERSoT_" => {
            prints!(|i, c, to| to.integer(i, c.uint(1)?, true, 64)?)
        }
        "_ZNSolsEm" | "_ZNSolsEy" | "_ZNSo9_M_insertImEERSoT_" | "_ZNSo9_M_insertIyEERSoT_" => {
            prints!(|i, c, to| to.integer(i, c.uint(1)?, false, 64)?)
        }
        "_ZNSolsEd" | "_ZNSo9_M_insertIdEERSoT_" => {
            prints!(|i, c, to| to.float(i, FloatKind::Double, c.leaf(1)?.bits())?)
        }
        "_ZNSolsEf" => prints!(|i, c, to| {
            let wide = f64::from(c.leaf(1)?.as_f32());
            to.float(i, FloatKind::Double, wide.to_bits().into())?;
        }),
        "_ZNSolsEe" | "_ZNSo9_M_insertIeEERSoT_" => {
            prints!(|i, c, to| to.float(i, FloatKind::X86Fp80, c.leaf(1)?.bits())?)
        }
        "_ZNSolsEb" | "_ZNSo9_M_insertIbEERSoT_" => prints!(|i, c, to| {
            let value = c.uint(1)? & 1;
            if to.flags(i)? & flag::BOOLALPHA != 0 {
                to.padded(i, if value == 1 { b"true" } else { b"false" }, 0)?;
            } else {
                to.integer(i, value, true, 64)?;
            }
        }),
        "_ZNSolsEPKv" | "_ZNSo9_M_insertIPKvEERSoT_" => prints!(|i, c, to| {
            let text = format!("{:#x}", c.ptr(1)?.addr).into_bytes();
            // A null pointer is printed as `0`.
            let text = if text == b"0x0" { b"0".to_vec() } else { text };
            to.padded(i, &text, 0)?;
        }),
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c"
        | "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_c" => {
            prints!(|i, c, to| to.padded(i, &[c.uint(1)? as u8], 0)?)
        }
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc" => prints!(|i, c, to| {
            let text = i.memory.read_cstr(c.ptr(1)?)?;
            to.padded(i, &text, 0)?;
        }),
        "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE" => {
            prints!(|i, c, to| {
                let text = Text::at(c.ptr(1)?).bytes(i)?;
                to.padded(i, &text, 0)?;
            })
        }
        "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l" => prints!(|i, c, to| {
            let text = i.memory.read_bytes(c.ptr(1)?, c.uint(2)?)?;
            to.padded(i, &text, 0)?;
        }),
        "_ZNSo3putEc" => prints!(|i, c, to| to.write(i, &[c.uint(1)? as u8])?),
        "_ZNSo5writeEPKcl" => prints!(|i, c, to| {
            let text = i.memory.read_bytes(c.ptr(1)?, c.uint(2)?)?;
            to.write(i, &text)?;
        }),
        "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_" => prints!(|i, c, to| {
            to.write(i, b"\n")?;
            to.flush(i)?;
        }),
        // The rest of another stream's text.
        "_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE" => prints!(|i, c, to| {
            let text = match place_of(i, c.ptr(1)?) {
                Some(Place::Text(from)) => {
                    let (text, _) = from.ahead(i, u64::MAX)?;
                    from.advance(i, text.len() as i64)?;
                    text
                }
                Some(Place::File(from)) if from.is_open(i)? => {
                    super::istream::read_file(i, from, c.at, |input| input.take_while(|_, _| true))?.0
                }
                Some(_) => Vec::new(),
                None => {
                    return Err(Fault::unsupported(
                        "printing a stream buffer that is over neither a string nor a file",
                    ));
                }
            };
            // [ostream.inserters]: if nothing is inserted, that is a failure.
            if text.is_empty() { to.fail(i)? } else { to.write(i, &text)? }
        }),
        "_ZNSo5flushEv" | "_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_" => |i, c| {
            Target::of(i, c)?.flush(i)?;
            itself::<M>(c)
        },
        // Manipulators that are functions of the stream, and of its `std::ios` part.
        "_ZNSolsEPFRSoS_E" | "_ZNSirsEPFRSiS_E" => |i, c| i.call_back(c.ptr(1)?, &[Value::ptr(c.ptr(0)?)]),
        "_ZNSolsEPFRSt8ios_baseS0_E" | "_ZNSirsEPFRSt8ios_baseS0_E" => |i, c| {
            let part = Target::of(i, c)?.part;
            i.call_back(c.ptr(1)?, &[Value::ptr(part)])?;
            itself::<M>(c)
        },
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw" => {
            prints!(|i, c, to| to.set(i, ios::WIDTH, 64, c.int(1)? as u64)?)
        }
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision" => {
            prints!(|i, c, to| to.set(i, ios::PRECISION, 64, c.int(1)? as u64)?)
        }
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E" => {
            prints!(|i, c, to| to.set(i, ios::FILL, 8, c.uint(1)?)?)
        }
        "_ZNSt8ios_base4InitC1Ev" => |_, _| Ok(Value::void()),
        "_ZNSt8ios_base4InitD1Ev" => |i, _| {
            i.output.flush();
            Ok(Value::void())
        },
        // C and C++ share one buffer here, as they do after the call with `true`.
        "_ZNSt8ios_base15sync_with_stdioEb" => |_, _| Ok(Value::i32(1)),
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
