//! The `std::ios` part of a stream, which its headers reach into: where its fields are, what their bits mean, and how
//! it starts.

use crate::memory::shadow::Shadow;
use crate::memory::{AllocKind, Memory};
use crate::outcome::Res;
use crate::value::{Leaf, Pointer, Scalar};

pub const PRECISION: i64 = 8;
pub const WIDTH: i64 = 16;
pub const FLAGS: i64 = 24;
pub const STATE: i64 = 32;
pub const FILL: i64 = 224;
pub const FILL_SET: i64 = 225;
pub const BUFFER: i64 = 232;
pub const CTYPE: i64 = 240;
pub const SIZE: u64 = 264;

/// Bits of `std::ios_base::fmtflags`.
pub mod flag {
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

/// Bits of `std::ios_base::iostate`.
pub mod state {
    pub const BAD: u64 = 1;
    pub const EOF: u64 = 2;
    pub const FAIL: u64 = 4;
}

/// Sets the `std::ios` part of a stream up, but for its virtual table ([basic.ios.cons]: the effects of `init`).
pub fn start<S: Shadow>(memory: &mut Memory<S>, part: Pointer, buffer: Pointer, ctype: Pointer) -> Res {
    memory.fill(part.offset(8), Scalar::word(0), SIZE - 8)?;
    memory.store(part.offset(PRECISION), Leaf::Int(64), Scalar::word(6), 8)?;
    memory.store(part.offset(FLAGS), Leaf::Int(32), Scalar::word(flag::SKIPWS | flag::DEC), 4)?;
    let state = if buffer.is_null() { state::BAD } else { 0 };
    memory.store(part.offset(STATE), Leaf::Int(32), Scalar::word(state), 4)?;
    memory.write_bytes(part.offset(FILL), b" ")?;
    memory.write_bytes(part.offset(FILL_SET), &[1])?;
    memory.store(part.offset(BUFFER), Leaf::Ptr, Scalar::ptr(buffer), 8)?;
    memory.store(part.offset(CTYPE), Leaf::Ptr, Scalar::ptr(ctype), 8)
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
