//! Names within a function: numbers for the unnamed, distinct names for the named.

use super::name;
use crate::entity::SecondaryMap;
use crate::function::{BlockId, Function, ValueId};
use crate::types::TypeId;
use std::collections::{HashMap, HashSet};

/// How the values and blocks of a function are written behind the `%`.
#[derive(Default)]
pub(super) struct Slots {
    values: SecondaryMap<ValueId, String>,
    blocks: SecondaryMap<BlockId, String>,
    used: HashSet<String>,
    /// Of a name, the suffix up to which it is used.
    suffixes: HashMap<String, u32>,
    next: u32,
    types: SecondaryMap<ValueId, Option<TypeId>>,
}

impl Slots {
    /// Numbers in LLVM's order: parameters, then each block and the results in it. Blocks and values share
    /// both the numbers and the space of names.
    pub fn new(func: &Function) -> Slots {
        let mut slots = Slots::default();
        for (id, value) in &func.values {
            slots.types[id] = Some(value.ty);
        }
        for param in &func.params {
            slots.values[param.value] = slots.slot(&func.values[param.value].name);
        }
        for &block in &func.layout {
            slots.blocks[block] = slots.slot(&func.blocks[block].name);
            for inst in &func.blocks[block].insts {
                if let Some(value) = func.insts[*inst].result {
                    slots.values[value] = slots.slot(&func.values[value].name);
                }
            }
        }
        slots
    }

    fn slot(&mut self, text: &str) -> String {
        if text.is_empty() {
            self.next += 1;
            return (self.next - 1).to_string();
        }
        let mut unique = text.to_owned();
        if self.used.contains(&unique) {
            // Names are never given back, so the next free one of many is found without trying all again.
            let suffix = self.suffixes.entry(text.to_owned()).or_default();
            while self.used.contains(&unique) {
                *suffix += 1;
                unique = format!("{text}.{suffix}");
            }
        }
        let mut out = String::new();
        name(&mut out, &unique);
        self.used.insert(unique);
        out
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Option<TypeId> {
        self.types[value]
    }

    /// The name of a value; one that stands in no block has none.
    pub fn value(&self, value: ValueId) -> &str {
        known(&self.values[value])
    }

    /// The name of a block; one outside the layout has none.
    pub fn block(&self, block: BlockId) -> &str {
        known(&self.blocks[block])
    }
}

fn known(name: &str) -> &str {
    if name.is_empty() { "<badref>" } else { name }
}
