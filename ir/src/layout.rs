//! The data layout: sizes, alignments and offsets (LangRef, "Data Layout").
//!
//! Defaults are those of the LangRef; the layout string overrides them. Sizes are in bytes.

use crate::types::{FloatKind, Type, TypeId, Types};

/// The parsed layout string of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// The string as written, for the printer.
    pub text: String,
    /// `e` (true) or `E`.
    pub little_endian: bool,
    /// Size of a pointer in address space 0, in bytes.
    pub pointer_size: u64,
    /// Alignment of a pointer in address space 0, in bytes.
    pub pointer_align: u64,
    ints: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
}

impl Default for DataLayout {
    fn default() -> Self {
        DataLayout {
            text: String::new(),
            little_endian: true,
            pointer_size: 8,
            pointer_align: 8,
            ints: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
        }
    }
}

/// Rounds `n` up to a multiple of `align` (a power of two or any positive number).
pub fn align_to(n: u64, align: u64) -> u64 {
    n.div_ceil(align) * align
}

impl DataLayout {
    /// Parses a layout string; an entry that is not understood is an error that names it.
    pub fn parse(text: &str) -> Result<DataLayout, String> {
        let mut out = DataLayout { text: text.to_owned(), ..DataLayout::default() };
        for spec in text.split('-').filter(|s| !s.is_empty()) {
            out.apply(spec).ok_or_else(|| format!("data layout entry `{spec}` is not understood"))?;
        }
        for table in [&mut out.ints, &mut out.floats, &mut out.vectors] {
            table.sort_unstable();
        }
        Ok(out)
    }

    fn apply(&mut self, spec: &str) -> Option<()> {
        let bytes = |s: &str| s.parse::<u64>().ok().map(|b| b / 8);
        let (head, rest) = spec.split_at(1);
        let parts: Vec<&str> = rest.split(':').collect();
        match head {
            "e" => self.little_endian = true,
            "E" => self.little_endian = false,
            // Mangling, native widths, stack and function alignment, aggregates, non-integral
            // pointers, alloca/global/program address spaces: no effect on sizes here.
            "m" | "n" | "S" | "F" | "a" | "A" | "G" | "P" => {}
            "p" => {
                if matches!(parts[0], "" | "0") {
                    self.pointer_size = bytes(parts.get(1)?)?;
                    self.pointer_align = bytes(parts.get(2).unwrap_or(&"64"))?;
                }
            }
            "i" | "f" | "v" => {
                let (bits, align) = (parts[0].parse().ok()?, bytes(parts.get(1)?)?.max(1));
                let table = match head {
                    "i" => &mut self.ints,
                    "f" => &mut self.floats,
                    _ => &mut self.vectors,
                };
                table.retain(|(b, _)| *b != bits);
                table.push((bits, align));
            }
            _ => return None,
        }
        Some(())
    }

    /// Width in bits of a first-class scalar or vector, as stored by a `store` (no tail padding).
    pub fn bit_width(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(match types.get(ty) {
            Type::Int(bits) => u64::from(*bits),
            Type::Float(kind) => u64::from(kind.bits()),
            Type::Ptr(_) => self.pointer_size * 8,
            Type::Vector { len, elem } => u64::from(*len) * self.bit_width(types, *elem)?,
            _ => return None,
        })
    }

    /// Bytes that a store of `ty` may overwrite.
    pub fn store_size(&self, types: &Types, ty: TypeId) -> u64 {
        match self.bit_width(types, ty) {
            Some(bits) => bits.div_ceil(8),
            None => self.size_of(types, ty),
        }
    }

    /// Distance between consecutive `ty`s in an array (the ABI allocation size). Zero for unsized types.
    pub fn size_of(&self, types: &Types, ty: TypeId) -> u64 {
        match types.get(ty) {
            Type::Array { len, elem } => len.saturating_mul(self.size_of(types, *elem)),
            Type::Struct { .. } | Type::Named(_) => self.struct_layout(types, ty).map_or(0, |l| l.size),
            Type::Void | Type::Func { .. } | Type::Label | Type::Token | Type::Metadata => 0,
            _ => align_to(self.store_size(types, ty), self.align_of(types, ty)),
        }
    }

    /// ABI alignment of `ty`, at least 1.
    pub fn align_of(&self, types: &Types, ty: TypeId) -> u64 {
        match types.get(ty) {
            Type::Int(bits) => self.int_align(*bits),
            Type::Float(kind) => self.float_align(*kind),
            Type::Ptr(_) => self.pointer_align,
            Type::Vector { .. } => {
                let bits = self.bit_width(types, ty).unwrap_or(8);
                match self.vectors.iter().find(|(b, _)| u64::from(*b) == bits) {
                    Some((_, align)) => *align,
                    None => bits.div_ceil(8).next_power_of_two(),
                }
            }
            Type::Array { elem, .. } => self.align_of(types, *elem),
            Type::Struct { .. } | Type::Named(_) => self.struct_layout(types, ty).map_or(1, |l| l.align),
            Type::Void | Type::Func { .. } | Type::Label | Type::Token | Type::Metadata => 1,
        }
    }

    /// "If no match is found, and the type sought is an integer type, then the smallest integer
    /// type that is larger than the bitwidth of the sought type is used. If none … the largest."
    fn int_align(&self, bits: u32) -> u64 {
        let found = self.ints.iter().find(|(b, _)| *b >= bits).or(self.ints.last());
        found.map_or(1, |(_, align)| *align)
    }

    fn float_align(&self, kind: FloatKind) -> u64 {
        match self.floats.iter().find(|(b, _)| *b == kind.bits()) {
            Some((_, align)) => *align,
            None => u64::from(kind.bits().div_ceil(8)).next_power_of_two(),
        }
    }

    /// Size and alignment at once: each structure in a structure is laid out once, not once for either, which would
    /// double with each level.
    fn extent(&self, types: &Types, ty: TypeId) -> (u64, u64) {
        match types.get(ty) {
            Type::Struct { .. } | Type::Named(_) => self.struct_layout(types, ty).map_or((0, 1), |l| (l.size, l.align)),
            Type::Array { len, elem } => {
                let (size, align) = self.extent(types, *elem);
                (len.saturating_mul(size), align)
            }
            _ => (self.size_of(types, ty), self.align_of(types, ty)),
        }
    }

    /// Offsets of the fields of a struct; `None` if `ty` is not a struct with a body.
    pub fn struct_layout(&self, types: &Types, ty: TypeId) -> Option<StructLayout> {
        let (fields, packed) = types.fields(ty)?;
        let (mut size, mut align, mut offsets) = (0, 1, Vec::with_capacity(fields.len()));
        for field in fields {
            let (bytes, natural) = self.extent(types, *field);
            let a = if packed { 1 } else { natural };
            size = align_to(size, a);
            align = align.max(a);
            offsets.push(size);
            size += bytes;
        }
        Some(StructLayout { size: align_to(size, align), align, offsets })
    }

    /// Byte offset of the `index`-th element of a struct, array or vector.
    pub fn element_offset(&self, types: &Types, ty: TypeId, index: u64) -> Option<u64> {
        match types.get(ty) {
            Type::Array { elem, .. } => Some(index.wrapping_mul(self.size_of(types, *elem))),
            Type::Vector { elem, .. } => Some(index.wrapping_mul(self.bit_width(types, *elem)?.div_ceil(8))),
            _ => self.struct_layout(types, ty)?.offsets.get(usize::try_from(index).ok()?).copied(),
        }
    }
}

/// Where the fields of a struct lie, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructLayout {
    /// Allocation size.
    pub size: u64,
    /// ABI alignment.
    pub align: u64,
    /// Offset of each field.
    pub offsets: Vec<u64>,
}
