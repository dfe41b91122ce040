//! Names of a host and a device in one module.
//!
//! A program whose device code is a module of its own is linked with it under other names: what the device defines
//! begins with [`DEVICE`]. Host code names a kernel by its stub, as clang calls it: `_Z16__device_stub__addPf` stands
//! for `_Z3addPf`.

use crate::memory::spaces::Space;
use ir::entity::SecondaryMap;
use ir::{FuncId, GlobalId, Module};

/// What the names of a device begin with.
pub const DEVICE: &str = "device.";
/// What clang puts before a kernel's name in that of its stub.
const STUB: &str = "__device_stub__";

/// The name of the kernel that a stub launches.
pub fn kernel_name(stub: &str) -> Option<String> {
    let at = stub.find(STUB)?;
    let (before, after) = (&stub[..at], &stub[at + STUB.len()..]);
    let digits = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let name = match before[digits..].parse::<usize>() {
        Ok(length) if before.starts_with("_Z") => {
            format!("{}{}{after}", &before[..digits], length.checked_sub(STUB.len())?)
        }
        _ => format!("{before}{after}"),
    };
    Some(name)
}

/// The function of the device of that name.
pub fn on_device(module: &Module, name: &str) -> Option<FuncId> {
    let named =
        |name: &str| module.functions.iter().find(|(_, f)| f.name == name && !f.is_declaration()).map(|(id, _)| id);
    named(&format!("{DEVICE}{name}")).or_else(|| named(name))
}

/// Whose each variable is.
pub fn spaces(module: &Module) -> SecondaryMap<GlobalId, Space> {
    let apart = module.functions.iter().any(|(_, f)| f.name.starts_with(DEVICE));
    let mut spaces = SecondaryMap::new();
    for (id, global) in module.globals.iter() {
        let device = global.name.starts_with(DEVICE);
        spaces[id] = match Space::of(global.addr_space) {
            Some(space) => space,
            None if device && global.constant => Space::Constant,
            None if device => Space::Global,
            // A constant may stand in both.
            None if apart && !global.constant => Space::Host,
            None => Space::Everybody,
        };
    }
    spaces
}

#[cfg(test)]
mod tests {
    use super::kernel_name;

    #[test]
    fn a_stub_names_its_kernel() {
        let name = |stub| kernel_name(stub).unwrap_or_default();
        assert_eq!(name("_Z18__device_stub__addPf"), "_Z3addPf");
        assert_eq!(name("_Z16__device_stub__kPi"), "_Z1kPi");
        assert_eq!(name("__device_stub__k"), "k");
        assert_eq!(name("_ZN2ns18__device_stub__runEPd"), "_ZN2ns3runEPd");
        assert_eq!(name("_Z20__device_stub__scaleIfEvPT_"), "_Z5scaleIfEvPT_");
        assert_eq!(kernel_name("_Z3addPf"), None);
    }
}
