//! `std::string` (`basic_string.h`) as an object of the program.
//!
//! A string is `{ char *characters, size_t length, union { char local[16]; size_t capacity; } }`; the characters lie in
//! `local` or in a block from `operator new`. Growth doubles the capacity, as libstdc++'s does, so that `capacity()` is
//! the same.

use super::standard;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::Interp;
use crate::thrown::pointer;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Characters that fit into the object, without the NUL.
pub const LOCAL: u64 = 15;

/// A string of the program.
#[derive(Clone, Copy)]
pub struct Text {
    object: Pointer,
}

impl Text {
    /// The string object at an address.
    pub fn at(object: Pointer) -> Text {
        Text { object }
    }

    /// Is it the same object?
    pub fn is(self, other: Text) -> bool {
        self.object.addr == other.object.addr
    }

    pub fn local(self) -> Pointer {
        self.object.offset(16)
    }

    pub fn data<M: Machine>(self, i: &Interp<'_, M>) -> Res<Pointer> {
        pointer(i.memory.load_ptr(self.object, 8)?)
    }

    pub fn len<M: Machine>(self, i: &Interp<'_, M>) -> Res<u64> {
        let len = i.memory.load(self.object.offset(8), Leaf::Int(64), 8)?;
        if len.is_init() {
            return Ok(len.lo);
        }
        Err(Fault::ub(UbKind::Uninitialised, "a std::string is used that was never constructed"))
    }

    pub fn capacity<M: Machine>(self, i: &Interp<'_, M>) -> Res<u64> {
        if self.data(i)?.addr == self.local().addr {
            return Ok(LOCAL);
        }
        Ok(i.memory.load(self.local(), Leaf::Int(64), 8)?.lo)
    }

    /// The characters.
    pub fn bytes<M: Machine>(self, i: &Interp<'_, M>) -> Res<Vec<u8>> {
        i.memory.read_bytes(self.data(i)?, self.len(i)?)
    }

    pub fn set_data<M: Machine>(self, i: &mut Interp<'_, M>, to: Pointer) -> Res {
        i.memory.store(self.object, Leaf::Ptr, Scalar::ptr(to), 8)
    }

    pub fn set_capacity<M: Machine>(self, i: &mut Interp<'_, M>, to: u64) -> Res {
        i.memory.store(self.local(), Leaf::Int(64), Scalar::word(to), 8)
    }

    /// Sets the length and the NUL behind.
    pub fn set_len<M: Machine>(self, i: &mut Interp<'_, M>, to: u64) -> Res {
        i.memory.store(self.object.offset(8), Leaf::Int(64), Scalar::word(to), 8)?;
        let end = self.data(i)?.offset(to as i64);
        i.memory.write_bytes(end, &[0])
    }

    /// Makes an empty string of the object.
    pub fn start<M: Machine>(self, i: &mut Interp<'_, M>) -> Res {
        let local = self.local();
        self.set_data(i, local)?;
        self.set_len(i, 0)
    }

    pub fn dispose<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res {
        let data = self.data(i)?;
        if data.addr != self.local().addr {
            i.memory.free(data, HeapKind::New, Some(c.at))?;
        }
        Ok(())
    }

    /// Takes a block in place of the old one; the length stays.
    pub fn take_block<M: Machine>(self, i: &mut Interp<'_, M>, block: Pointer, capacity: u64, at: Location) -> Res {
        let data = self.data(i)?;
        if data.addr != self.local().addr {
            i.memory.free(data, HeapKind::New, Some(at))?;
        }
        self.set_data(i, block)?;
        self.set_capacity(i, capacity)
    }

    /// A new block for `wanted` characters, at least twice the old ones; gives the block and its capacity.
    pub fn create<M: Machine>(
        i: &mut Interp<'_, M>,
        c: &ShimCall<'_, M::Shadow>,
        wanted: u64,
        old: u64,
    ) -> Res<(Pointer, u64)> {
        const MOST: u64 = (1 << 62) - 1;
        if wanted > MOST {
            return Err(standard::raise(i, c, "length_error", b"basic_string::_M_create"));
        }
        let capacity = if wanted > old && wanted < 2 * old { (2 * old).min(MOST) } else { wanted };
        let block = i.memory.allocate(capacity + 1, 16, AllocKind::Heap(HeapKind::New), Some(c.at))?;
        Ok((block, capacity))
    }

    /// Replaces the whole content; a block is kept if it is large enough.
    pub fn assign<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res {
        let (len, old) = (text.len() as u64, self.capacity(i)?);
        if len > old {
            let (block, capacity) = Text::create(i, c, len, old)?;
            self.dispose(i, c)?;
            self.set_data(i, block)?;
            self.set_capacity(i, capacity)?;
        }
        let data = self.data(i)?;
        i.memory.write_bytes(data, text)?;
        self.set_len(i, len)
    }

    /// Replaces `n` characters from `at` on.
    pub fn replace<M: Machine>(
        self,
        i: &mut Interp<'_, M>,
        c: &ShimCall<'_, M::Shadow>,
        (at, n): (u64, u64),
        with: &[u8],
    ) -> Res {
        let mut text = self.bytes(i)?;
        let at = (at as usize).min(text.len());
        let end = at + (n.min((text.len() - at) as u64) as usize);
        text.splice(at..end, with.iter().copied());
        self.assign(i, c, &text)
    }

    /// `at`, if it is no position behind the end.
    pub fn check<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, at: u64, who: &str) -> Res<u64> {
        let len = self.len(i)?;
        if at <= len {
            return Ok(at);
        }
        let text = format!("{who}: __pos (which is {at}) > this->size() (which is {len})");
        Err(standard::raise(i, c, "out_of_range", text.as_bytes()))
    }
}

pub fn this<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Text> {
    Ok(Text::at(c.ptr(0)?))
}

/// The characters of a `const char *` argument.
pub fn chars<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    i.memory.read_cstr(c.ptr(index)?)
}

/// Those of a `const char *` and a number of them.
pub fn counted<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    i.memory.read_bytes(c.ptr(index)?, c.uint(index + 1)?)
}

/// Those of a string argument.
pub fn other<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    Text::at(c.ptr(index)?).bytes(i)
}

/// A repeated character: number, character.
pub fn repeated<M: Machine>(c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    let count = c.uint(index)?;
    if count > 1 << 32 {
        return Err(Fault::resource(format!("a string of {count} characters")));
    }
    Ok(vec![c.uint(index + 1)? as u8; count as usize])
}

/// Part of a string argument: string, position, number.
pub fn part<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize, who: &str) -> Res<Vec<u8>> {
    let text = Text::at(c.ptr(index)?);
    let at = text.check(i, c, c.uint(index + 1)?, who)? as usize;
    let bytes = text.bytes(i)?;
    let n = c.uint(index + 2)?.min((bytes.len() - at) as u64) as usize;
    Ok(bytes[at..at + n].to_vec())
}

/// Makes a string of the object with that content.
pub fn make<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res<Value<M::Shadow>> {
    let this = this::<M>(c)?;
    this.start(i)?;
    this.assign(i, c, text)?;
    Ok(Value::void())
}

/// The result of members that return `*this`.
pub fn itself<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    Ok(Value::ptr(c.ptr(0)?))
}

/// A string takes the content of another, which is empty then.
pub fn take_over<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, to: Text, from: Text) -> Res {
    let (data, len) = (from.data(i)?, from.len(i)?);
    if data.addr == from.local().addr {
        let text = from.bytes(i)?;
        to.assign(i, c, &text)?;
        return from.set_len(i, 0);
    }
    let capacity = from.capacity(i)?;
    to.dispose(i, c)?;
    to.set_data(i, data)?;
    to.set_capacity(i, capacity)?;
    i.memory.store(to.object.offset(8), Leaf::Int(64), Scalar::word(len), 8)?;
    from.start(i)
}
