//! Byte ranges: copying, filling, and what the library shims need to read and write.

use super::Memory;
use super::data::{Data, state};
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Pointer, Scalar, Tag};
use std::borrow::Cow;

impl<S: Shadow> Memory<S> {
    /// `memmove`: bytes with their states, provenance and shadows.
    pub fn copy(&mut self, dst: Pointer, src: Pointer, len: u64) -> Res {
        if len == 0 {
            return Ok(());
        }
        let (from, src_at) = self.reach_whole(src, len, 1, Access::Read)?;
        let (to, dst_at) = self.reach_whole(dst, len, 1, Access::Write)?;
        let shadows = self.take_shadow_copy(from, src_at as u64, len);
        self.drop_shadows(to, dst_at as u64, len);
        if from == to {
            self.allocs[to].data.copy_within(dst_at, src_at, len as usize);
        } else {
            let source = self.allocs[from].data.clone();
            self.allocs[to].data.copy_from(dst_at, &source, src_at, len as usize);
        }
        self.put_shadow_copy(to, dst_at as u64, shadows);
        Ok(())
    }

    /// Do two ranges of `len` bytes share a byte without being the same?
    pub fn overlaps(&self, a: Pointer, b: Pointer, len: u64) -> bool {
        a.addr != b.addr && a.addr.abs_diff(b.addr) < len
    }

    /// `memset` with a byte that may be undefined or poison.
    pub fn fill(&mut self, dst: Pointer, byte: Scalar, len: u64) -> Res {
        if len == 0 {
            return Ok(());
        }
        let (to, at) = self.reach_whole(dst, len, 1, Access::Write)?;
        self.drop_shadows(to, at as u64, len);
        let (value, new_state) = match byte.tag {
            Tag::Init => (byte.lo as u8, state::INIT),
            Tag::Undef => (0, state::UNDEF),
            Tag::Poison => (0, state::POISON),
        };
        self.allocs[to].data.fill(at..at + len as usize, value, new_state);
        Ok(())
    }

    /// Reads defined bytes.
    pub fn read_bytes(&self, pointer: Pointer, len: u64) -> Res<Vec<u8>> {
        Ok(self.slice(pointer, len)?.into_owned())
    }

    /// The defined bytes, in place if they lie in one part.
    pub fn slice(&self, pointer: Pointer, len: u64) -> Res<Cow<'_, [u8]>> {
        if len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let (index, at) = self.reach(pointer, len, 1, Access::Read)?;
        let data = &self.allocs[index].data;
        let range = at..at + len as usize;
        if let Some(bad) = data.cells(at).take(len as usize).position(|(_, s)| !state::is_defined(s)) {
            let text = format!("byte {bad} of {len} read by the library is uninitialised");
            return Err(
                Fault::ub(UbKind::Uninitialised, text).note("the object was created here", self.allocs[index].made)
            );
        }
        Ok(data.bytes(range))
    }

    /// Writes bytes.
    pub fn write_bytes(&mut self, pointer: Pointer, bytes: &[u8]) -> Res {
        if bytes.is_empty() {
            return Ok(());
        }
        let (to, at) = self.reach(pointer, bytes.len() as u64, 1, Access::Write)?;
        self.drop_shadows(to, at as u64, bytes.len() as u64);
        self.allocs[to].data.write(at, bytes);
        Ok(())
    }

    /// The bytes of a NUL-terminated string, without the NUL.
    pub fn read_cstr(&self, pointer: Pointer) -> Res<Vec<u8>> {
        self.read_cstr_max(pointer, u64::MAX)
    }

    /// At most `most` bytes of a string that may end earlier with NUL (as `%.*s` and `strnlen` read).
    pub fn read_cstr_max(&self, pointer: Pointer, most: u64) -> Res<Vec<u8>> {
        if most == 0 {
            return Ok(Vec::new());
        }
        let (index, at) = self.resolve(pointer, 1, 1, Access::Read)?;
        let data = &self.allocs[index].data;
        let mut out = Vec::new();
        for (byte, s) in data.cells(at) {
            if !state::is_defined(s) {
                let text = format!("byte {} of a string is uninitialised", out.len());
                return Err(
                    Fault::ub(UbKind::Uninitialised, text).note("the object was created here", self.allocs[index].made)
                );
            }
            if byte == 0 {
                self.watch_string((index, at), out.len() as u64 + 1)?;
                return Ok(out);
            }
            out.push(byte);
            if out.len() as u64 == most {
                self.watch_string((index, at), most)?;
                return Ok(out);
            }
        }
        let text = format!("a string runs over the end of its object after {} bytes without a NUL", out.len());
        Err(Fault::ub(UbKind::OutOfBounds, text).note("the object was created here", self.allocs[index].made))
    }

    /// A copy of so many bytes with their states, without provenance: for another memory.
    pub(crate) fn extract(&self, at: Pointer, len: u64) -> Res<Data> {
        let mut out = Data::default();
        if len > 0 {
            let (index, offset) = self.reach(at, len, 1, Access::Read)?;
            out = self.allocs[index].data.gather(offset, len as usize);
            for byte in out.state.iter_mut().filter(|s| **s == state::POINTER) {
                *byte = state::INIT;
            }
            out.prov.clear();
        }
        Ok(out)
    }

    /// Puts such a copy into this memory.
    pub(crate) fn insert(&mut self, at: Pointer, data: &Data) -> Res {
        let len = data.bytes.len();
        if len == 0 {
            return Ok(());
        }
        let (index, offset) = self.reach(at, len as u64, 1, Access::Write)?;
        self.drop_shadows(index, offset as u64, len as u64);
        self.allocs[index].data.scatter(offset, data);
        Ok(())
    }
}
