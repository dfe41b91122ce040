//! Memory against a map of bytes: what is read is what was written, over objects that are allocated, freed, copied, and
//! gone back to from snapshots; what may not be accessed is refused, and nothing else.

use interp::memory::Access;
use interp::value::{Leaf, Pointer, Scalar, Tag, mask128};
use interp::{AllocKind, FaultKind, HeapKind, Memory, UbKind};
use ir::FloatKind;
use proptest::prelude::*;

/// A byte as it should be.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Byte {
    Undef,
    Poison,
    Defined(u8),
    /// The n-th byte of a pointer into the object with that number.
    OfPointer(u8, usize, usize),
}

impl Byte {
    fn value(self) -> Option<u8> {
        match self {
            Byte::Defined(byte) | Byte::OfPointer(byte, ..) => Some(byte),
            Byte::Undef | Byte::Poison => None,
        }
    }
}

/// An object as it should be; freed ones have no bytes.
#[derive(Clone, Debug)]
struct Object {
    at: Pointer,
    bytes: Option<Vec<Byte>>,
    kind: HeapKind,
}

/// A place: an object (counted modulo those there are) and an offset, which may lie outside.
type At = (usize, i64);

#[derive(Clone, Debug)]
enum Step {
    Allocate(u64, bool),
    Free(usize, bool),
    Store(At, Leaf, u128, u64),
    StoreNothing(At, Leaf, bool),
    StorePointer(At, At),
    Load(At, Leaf, u64),
    Copy(At, At, u64),
    Fill(At, Option<u8>, u64),
    Write(At, Vec<u8>),
    Read(At, u64),
    Snapshot,
    GoBack,
}

fn leaves() -> impl Strategy<Value = Leaf> {
    let ints = prop::sample::select(vec![1, 7, 8, 16, 24, 32, 48, 64, 80, 128]).prop_map(Leaf::Int);
    prop_oneof![ints, prop::sample::select(FloatKind::ALL.to_vec()).prop_map(Leaf::Float), Just(Leaf::Ptr)]
}

/// Offsets near the ends of the objects and of the parts of 16 KiB that contents are shared in.
fn places() -> impl Strategy<Value = At> {
    let near = |at: i64| (at - 20..at + 20).boxed();
    let offset = prop_oneof![
        4 => near(8),
        2 => near(16 << 10),
        1 => near(32 << 10),
        1 => near(40_000),
        1 => 0..40_000_i64,
    ];
    (0..6_usize, offset)
}

fn steps() -> impl Strategy<Value = Step> {
    let align = || prop::sample::select(vec![1, 1, 1, 2, 4, 8]);
    let size = || prop_oneof![4 => 0..40_u64, 1 => 0..40_000_u64];
    prop_oneof![
        2 => (prop::sample::select(vec![0, 1, 24, 64, 40_000]), any::<bool>()).prop_map(|(n, k)| Step::Allocate(n, k)),
        1 => (0..6_usize, any::<bool>()).prop_map(|(object, kind)| Step::Free(object, kind)),
        6 => (places(), leaves(), any::<u128>(), align()).prop_map(|(at, leaf, v, a)| Step::Store(at, leaf, v, a)),
        1 => (places(), leaves(), any::<bool>()).prop_map(|(at, leaf, poison)| Step::StoreNothing(at, leaf, poison)),
        2 => (places(), places()).prop_map(|(at, to)| Step::StorePointer(at, to)),
        8 => (places(), leaves(), align()).prop_map(|(at, leaf, align)| Step::Load(at, leaf, align)),
        3 => (places(), places(), size()).prop_map(|(to, from, len)| Step::Copy(to, from, len)),
        2 => (places(), any::<Option<u8>>(), size()).prop_map(|(at, byte, len)| Step::Fill(at, byte, len)),
        1 => (places(), prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(at, bytes)| Step::Write(at, bytes)),
        2 => (places(), size()).prop_map(|(at, len)| Step::Read(at, len)),
        1 => Just(Step::Snapshot),
        1 => Just(Step::GoBack),
    ]
}

/// The memory, what it should be, and what both were earlier.
struct Pair {
    memory: Memory,
    objects: Vec<Object>,
    earlier: Vec<(Memory, Vec<Object>)>,
    pointers: usize,
}

impl Pair {
    fn new() -> Pair {
        let mut pair = Pair { memory: Memory::new(1 << 30), objects: Vec::new(), earlier: Vec::new(), pointers: 0 };
        for size in [64, 40_000] {
            pair.allocate(size, HeapKind::Malloc);
        }
        pair
    }

    fn allocate(&mut self, size: u64, kind: HeapKind) {
        let at = self.memory.allocate(size, 16, AllocKind::Heap(kind), None).expect("there is room");
        self.objects.push(Object { at, bytes: Some(vec![Byte::Undef; size as usize]), kind });
    }

    fn object(&self, number: usize) -> usize {
        number % self.objects.len()
    }

    fn pointer(&self, (object, offset): At) -> Pointer {
        self.objects[self.object(object)].at.offset(offset)
    }

    /// The kind of undefined behaviour of an access; none if it is allowed.
    fn refusal(&self, (object, offset): At, len: u64, align: u64) -> Option<UbKind> {
        let object = &self.objects[self.object(object)];
        let Some(bytes) = &object.bytes else { return Some(UbKind::UseAfterFree) };
        if offset < 0 || offset as u64 + len > bytes.len() as u64 {
            return Some(UbKind::OutOfBounds);
        }
        // Objects start at multiples of 16.
        (!(offset as u64).is_multiple_of(align)).then_some(UbKind::Misaligned)
    }

    fn bytes(&self, (object, offset): At, len: u64) -> &[Byte] {
        let object = &self.objects[self.object(object)];
        &object.bytes.as_ref().expect("it lives")[offset as usize..][..len as usize]
    }

    fn put(&mut self, (object, offset): At, bytes: &[Byte]) {
        let object = self.object(object);
        let all = self.objects[object].bytes.as_mut().expect("it lives");
        all[offset as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// The kind of undefined behaviour that was reported.
fn kind<T: std::fmt::Debug>(result: interp::Res<T>) -> Result<Option<UbKind>, TestCaseError> {
    match result {
        Ok(_) => Ok(None),
        Err(fault) => match fault.kind {
            FaultKind::Undefined(kind) => Ok(Some(kind)),
            _ => Err(TestCaseError::fail(fault.message)),
        },
    }
}

/// Is what was loaded what the bytes say?
fn is_read(leaf: Leaf, bytes: &[Byte], found: Scalar, objects: &[Object]) -> Result<(), TestCaseError> {
    if bytes.contains(&Byte::Poison) {
        prop_assert_eq!(found.tag, Tag::Poison);
        return Ok(());
    }
    let number = |byte: fn(&Byte) -> u8| bytes.iter().rev().fold(0, |n: u128, b| n << 8 | u128::from(byte(b)));
    let mask = if matches!(leaf, Leaf::Int(_)) { mask128(leaf.bits()) } else { u128::MAX };
    let value = number(|byte| byte.value().unwrap_or(0)) & mask;
    let undefined = number(|byte| if byte.value().is_none() { 0xff } else { 0 }) & mask;
    if undefined == 0 {
        prop_assert_eq!(found.tag, Tag::Init);
        let bits = if leaf == Leaf::Ptr { u128::from(found.lo) } else { found.bits() };
        prop_assert_eq!(bits, value);
        if let (Leaf::Ptr, Byte::OfPointer(_, pointer, 0)) = (leaf, bytes[0]) {
            let whole = (0..8).all(|n| matches!(bytes[n], Byte::OfPointer(_, p, at) if (p, at) == (pointer, n)));
            let known = objects.iter().any(|object| object.at.prov == found.hi);
            prop_assert!(!whole || known || found.hi == 0);
        }
        return Ok(());
    }
    prop_assert_eq!(found.tag, Tag::Undef);
    if matches!(leaf, Leaf::Int(width) if width <= 64) {
        prop_assert_eq!((u128::from(found.lo), u128::from(found.hi)), (value & !undefined, undefined));
    }
    Ok(())
}

impl Pair {
    /// A store of what `scalar` is, which bytes `bytes` stand for.
    fn store(
        &mut self,
        at: At,
        leaf: Leaf,
        scalar: Scalar,
        (bytes, align): (Vec<Byte>, u64),
    ) -> Result<(), TestCaseError> {
        let refusal = self.refusal(at, leaf.store_size(), align);
        let pointer = self.pointer(at);
        prop_assert_eq!(kind(self.memory.store(pointer, leaf, scalar, align))?, refusal);
        if refusal.is_none() {
            self.put(at, &bytes);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::Allocate(size, new) => self.allocate(*size, if *new { HeapKind::New } else { HeapKind::Malloc }),
            Step::Free(object, new) => self.free(*object, if *new { HeapKind::New } else { HeapKind::Malloc })?,
            Step::Store(at, leaf, bits, align) => {
                let bits = bits & mask128(leaf.bits());
                let bytes = bits.to_le_bytes().map(Byte::Defined)[..leaf.store_size() as usize].to_vec();
                self.store(
                    *at,
                    *leaf,
                    Scalar::wide(if *leaf == Leaf::Ptr { bits as u64 as u128 } else { bits }),
                    (bytes, *align),
                )?;
            }
            Step::StoreNothing(at, leaf, poison) => {
                let (scalar, byte) =
                    if *poison { (Scalar::POISON, Byte::Poison) } else { (Scalar::undef(*leaf), Byte::Undef) };
                // Bits beyond an integer's are written as zeros, which makes bytes that are defined in part.
                if *poison || leaf.bits() % 8 == 0 {
                    self.store(*at, *leaf, scalar, (vec![byte; leaf.store_size() as usize], 1))?;
                }
            }
            Step::StorePointer(at, to) => {
                let pointer = self.pointer(*to);
                self.pointers += 1;
                let byte = |(n, byte): (usize, u8)| Byte::OfPointer(byte, self.pointers, n);
                let bytes = pointer.addr.to_le_bytes().into_iter().enumerate().map(byte).collect();
                self.store(*at, Leaf::Ptr, Scalar::ptr(pointer), (bytes, 1))?;
            }
            Step::Load(at, leaf, align) => {
                let refusal = self.refusal(*at, leaf.store_size(), *align);
                let found = self.memory.load(self.pointer(*at), *leaf, *align);
                match (found, refusal) {
                    (Ok(found), None) => is_read(*leaf, self.bytes(*at, leaf.store_size()), found, &self.objects)?,
                    (found, refusal) => prop_assert_eq!(kind(found)?, refusal),
                }
            }
            Step::Copy(to, from, len) => self.copy(*to, *from, *len)?,
            Step::Fill(at, byte, len) => {
                let refusal = self.refusal(*at, *len, 1).filter(|_| *len > 0);
                let scalar = byte.map_or(Scalar::undef(Leaf::Int(8)), |byte| Scalar::word(byte.into()));
                let pointer = self.pointer(*at);
                prop_assert_eq!(kind(self.memory.fill(pointer, scalar, *len))?, refusal);
                if refusal.is_none() && *len > 0 {
                    self.put(*at, &vec![byte.map_or(Byte::Undef, Byte::Defined); *len as usize]);
                }
            }
            Step::Write(at, bytes) => {
                let refusal = self.refusal(*at, bytes.len() as u64, 1).filter(|_| !bytes.is_empty());
                let pointer = self.pointer(*at);
                prop_assert_eq!(kind(self.memory.write_bytes(pointer, bytes))?, refusal);
                if refusal.is_none() && !bytes.is_empty() {
                    self.put(*at, &bytes.iter().map(|byte| Byte::Defined(*byte)).collect::<Vec<_>>());
                }
            }
            Step::Read(at, len) => self.read(*at, *len)?,
            Step::Snapshot => self.earlier.push((self.memory.clone(), self.objects.clone())),
            Step::GoBack => {
                if let Some((memory, objects)) = self.earlier.pop() {
                    (self.memory, self.objects) = (memory, objects);
                }
            }
        }
        Ok(())
    }

    fn free(&mut self, object: usize, by: HeapKind) -> Result<(), TestCaseError> {
        let object = self.object(object);
        let it = &mut self.objects[object];
        let expected = match &it.bytes {
            None => Some(UbKind::DoubleFree),
            Some(_) if it.kind != by => Some(UbKind::MismatchedFree),
            Some(_) => None,
        };
        let found = kind(self.memory.free(it.at, by, None))?;
        prop_assert_eq!(found, expected);
        if expected.is_none() {
            it.bytes = None;
        }
        Ok(())
    }

    fn copy(&mut self, to: At, from: At, len: u64) -> Result<(), TestCaseError> {
        let refusal = self.refusal(from, len, 1).or(self.refusal(to, len, 1)).filter(|_| len > 0);
        let (dst, src) = (self.pointer(to), self.pointer(from));
        prop_assert_eq!(kind(self.memory.copy(dst, src, len))?, refusal);
        if refusal.is_none() && len > 0 {
            let bytes = self.bytes(from, len).to_vec();
            self.put(to, &bytes);
        }
        Ok(())
    }

    fn read(&self, at: At, len: u64) -> Result<(), TestCaseError> {
        if len == 0 {
            return Ok(());
        }
        let found = self.memory.read_bytes(self.pointer(at), len);
        let refusal = self.refusal(at, len, 1);
        prop_assert_eq!(kind(self.memory.check_access(self.pointer(at), len, 1, Access::Read))?, refusal);
        let expected: Option<Vec<u8>> =
            if refusal.is_none() { self.bytes(at, len).iter().map(|b| b.value()).collect() } else { None };
        match (found, expected) {
            (Ok(found), Some(expected)) => prop_assert_eq!(found, expected),
            (found, _) => prop_assert_eq!(kind(found)?, refusal.or(Some(UbKind::Uninitialised))),
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_read_was_written(steps in prop::collection::vec(steps(), 1..80)) {
        let mut pair = Pair::new();
        for step in &steps {
            pair.step(step)?;
        }
        // Every byte, at the end.
        for (object, it) in pair.objects.iter().enumerate() {
            let size = it.bytes.as_ref().map_or(0, Vec::len);
            for offset in (0..size).step_by(8) {
                let (len, at) = ((size - offset).min(8) as u64, (object, offset as i64));
                let leaf = Leaf::Int(8 * len as u8);
                let found = pair.memory.load(pair.pointer(at), leaf, 1);
                let found = found.map_err(|fault| TestCaseError::fail(fault.message))?;
                is_read(leaf, pair.bytes(at, len), found, &pair.objects)?;
            }
        }
    }
}
