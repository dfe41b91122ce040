//! Output to streams ([ostream]): numbers, text and manipulators.
//!
//! Numbers are formatted by `printf`'s engine ([facet.num.put.virtuals] defines them so).

use super::ios::{self, flag};
use super::iostream::{Place, Target, itself, place_of};
use super::istream;
use super::string::Text;
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::shim_call::ShimCall;
use crate::shims::format::spec::{Length, Spec};
use crate::shims::state::{Interp, Shim};
use crate::value::Value;
use ir::FloatKind;

impl Target {
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
    numbers(name).or_else(|| texts(name)).or_else(|| manipulators(name))
}

/// A printed number's shadow ends.
fn printed<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) {
    if let Some(shadow) = c.shadows.get(1).filter(|s| !s.is_absent()) {
        i.machine.lost(shadow, Loss::Library, c.at);
    }
}

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

/// Numbers and addresses.
fn numbers<M: Machine>(name: &str) -> Option<Shim<M>> {
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
        _ => return None,
    })
}

/// Characters.
fn texts<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
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
        // The rest of another stream's text.
        "_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE" => prints!(|i, c, to| {
            let text = match place_of(i, c.ptr(1)?) {
                Some(Place::Text(from)) => {
                    let (text, _) = from.ahead(i, u64::MAX)?;
                    from.advance(i, text.len() as i64)?;
                    text
                }
                Some(Place::File(from)) if from.is_open(i)? => {
                    istream::read_file(i, from, c.at, |input| input.take_while(|_, _| true))?.0
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
        _ => return None,
    })
}

/// What changes how a stream prints, and what flushes it.
fn manipulators<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_" => prints!(|i, c, to| {
            to.write(i, b"\n")?;
            to.flush(i)?;
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
