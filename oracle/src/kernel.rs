//! A kernel by itself: launched with arguments from the command line, its buffers printed afterwards.
//!
//! An argument is a number, or for a pointer a buffer of device memory: `f32*8` (eight zeros), `f32*8=1.5` (all the
//! same), `f32*8=#` (0, 1, 2, …), `i32[3,1,2]`. Element types are `i8 i16 i32 i64 f32 f64`.

use crate::error::Error;
use interp::{AllocKind, HeapKind, Interp, Leaf, Machine, Outcome, Pointer, Scalar, Value};
use ir::{FloatKind, FuncId, Module, Type};

pub use interp::shims::gpu::Geometry;

/// A launch in place of `main`.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's name, as in the source or as the compiler mangled it; none if there is only one.
    pub kernel: Option<String>,
    /// Blocks and threads.
    pub geometry: Geometry,
}

/// A buffer that was given.
struct Buffer {
    at: Pointer,
    leaf: Leaf,
    count: u64,
}

/// The kernels of a module.
fn kernels(module: &Module) -> Vec<FuncId> {
    let defined = module.functions.iter().filter(|(_, f)| !f.is_declaration());
    defined.map(|(id, _)| id).filter(|id| ad::is_kernel(module, *id)).collect()
}

impl Launch {
    /// The kernel that is meant.
    pub fn kernel_of(&self, module: &Module, file: &str) -> Result<FuncId, Error> {
        let plain = |id: FuncId| module.functions[id].name.trim_start_matches(interp::shims::gpu::DEVICE).to_owned();
        let all = kernels(module);
        let Some(wanted) = &self.kernel else {
            return match all[..] {
                [one] => Ok(one),
                [] => Err(Error::Usage(format!("{file}: the module has no kernel"))),
                _ => {
                    let names: Vec<String> = all.iter().map(|id| plain(*id)).collect();
                    Err(Error::Usage(format!("{file}: say which kernel by --kernel: {}", names.join(", "))))
                }
            };
        };
        let any = module.functions.iter().filter(|(_, f)| !f.is_declaration()).map(|(id, _)| id);
        let exact = all.iter().copied().chain(any).find(|id| plain(*id) == *wanted);
        // As the Itanium ABI mangles a name: its length before it.
        let mangled = format!("{}{wanted}", wanted.len());
        let spelled = || all.iter().copied().find(|id| plain(*id).starts_with("_Z") && plain(*id).contains(&mangled));
        exact.or_else(spelled).ok_or_else(|| Error::Usage(format!("{file}: the module has no kernel `{wanted}`")))
    }

    /// Launches it, and prints its buffers if it runs to its end; a message if the arguments do not fit.
    pub fn run<M: Machine>(&self, interp: &mut Interp<'_, M>, args: &[String]) -> Result<Outcome, String> {
        let module = std::rc::Rc::clone(&interp.program.module);
        let kernel = self.kernel_of(&module, "the program").map_err(|error| error.to_string())?;
        if !self.geometry.is_valid() {
            return Err("a grid has at least one block, and a block 1 to 1024 threads".to_owned());
        }
        let params = &module.functions[kernel].params;
        if params.len() != args.len() {
            return Err(format!("the kernel takes {} arguments, {} are given", params.len(), args.len()));
        }
        let (mut values, mut buffers) = (Vec::new(), Vec::new());
        for (n, (param, text)) in params.iter().zip(args).enumerate() {
            let wrong = |why: String| format!("argument {} (`{text}`): {why}", n + 1);
            match module.types.get(param.ty) {
                Type::Ptr(_) => {
                    let buffer = buffer(interp, text).map_err(wrong)?;
                    values.push(Value::ptr(buffer.at));
                    buffers.push((n + 1, buffer));
                }
                Type::Int(bits) if *bits <= 64 => {
                    let value: i128 = text.parse().map_err(|_| wrong("an integer is needed".to_owned()))?;
                    let mask = u64::MAX >> (64 - bits);
                    values.push(Value::scalar(Scalar::word(value as u64 & mask)));
                }
                Type::Float(FloatKind::Double) => {
                    values.push(Value::scalar(number(text, FloatKind::Double).map_err(wrong)?))
                }
                Type::Float(FloatKind::Float) => {
                    values.push(Value::scalar(number(text, FloatKind::Float).map_err(wrong)?))
                }
                _ => return Err(wrong("parameters of this type cannot be given on the command line".to_owned())),
            }
        }
        let outcome = interp.run_kernel(kernel, &values, self.geometry);
        if outcome == Outcome::Finished(0) {
            for (n, buffer) in buffers {
                let line = format!("argument {n}: {}\n", contents(interp, &buffer));
                interp.output.write(interp::Stream::Out, line.as_bytes());
            }
            interp.output.flush();
        }
        Ok(outcome)
    }
}

fn number(text: &str, kind: FloatKind) -> Result<Scalar, String> {
    let needed = |_| "a number is needed".to_owned();
    match kind {
        FloatKind::Float => text.trim().parse().map(Scalar::f32).map_err(needed),
        _ => text.trim().parse().map(Scalar::f64).map_err(needed),
    }
}

fn element(text: &str, leaf: Leaf) -> Result<Scalar, String> {
    match leaf {
        Leaf::Float(kind) => number(text, kind),
        Leaf::Int(bits) => {
            let value: i128 = text.trim().parse().map_err(|_| format!("`{text}` is no integer"))?;
            Ok(Scalar::word(value as u64 & (u64::MAX >> (64 - u32::from(bits)))))
        }
        Leaf::Ptr => Err("pointers cannot be given".to_owned()),
    }
}

fn buffer<M: Machine>(interp: &mut Interp<'_, M>, text: &str) -> Result<Buffer, String> {
    let form = || "a buffer is needed: f32*8, f32*8=1.5, f32*8=#, i32[3,1,2]".to_owned();
    let end = text.find(['*', '[']).ok_or_else(form)?;
    let leaf = match &text[..end] {
        "i8" => Leaf::Int(8),
        "i16" => Leaf::Int(16),
        "i32" => Leaf::Int(32),
        "i64" => Leaf::Int(64),
        "f32" => Leaf::Float(FloatKind::Float),
        "f64" => Leaf::Float(FloatKind::Double),
        other => return Err(format!("there is no element type `{other}`")),
    };
    let rest = &text[end + 1..];
    let values: Vec<Scalar> = if text[end..].starts_with('[') {
        let list = rest.strip_suffix(']').ok_or_else(form)?;
        list.split(',').map(|item| element(item, leaf)).collect::<Result<_, _>>()?
    } else {
        let (count, fill) = rest.split_once('=').unwrap_or((rest, "0"));
        let count: u32 = count.parse().map_err(|_| form())?;
        match fill {
            "#" => (0..count).map(|i| element(&i.to_string(), leaf)).collect::<Result<_, _>>()?,
            fill => vec![element(fill, leaf)?; count as usize],
        }
    };
    let count = values.len() as u64;
    let size = leaf.store_size();
    let bytes = size.checked_mul(count).ok_or_else(|| "too large".to_owned())?;
    let at =
        interp.memory.allocate(bytes, 256, AllocKind::Heap(HeapKind::Device), None).map_err(|fault| fault.message)?;
    for (i, value) in (0..).zip(values) {
        interp.memory.store(at.offset((i * size) as i64), leaf, value, size).map_err(|fault| fault.message)?;
    }
    Ok(Buffer { at, leaf, count })
}

/// The elements in words; `?` for what has no value.
fn contents<M: Machine>(interp: &mut Interp<'_, M>, buffer: &Buffer) -> String {
    let size = buffer.leaf.store_size();
    let mut out = Vec::new();
    for i in 0..buffer.count {
        let at = buffer.at.offset((i * size) as i64);
        let value = interp.memory.copying(|m| m.load(at, buffer.leaf, size));
        out.push(match (value, buffer.leaf) {
            (Ok(value), Leaf::Float(FloatKind::Float)) if value.is_init() => value.as_f32().to_string(),
            (Ok(value), Leaf::Float(_)) if value.is_init() => value.as_f64().to_string(),
            (Ok(value), Leaf::Int(bits)) if value.is_init() => {
                let shift = 64 - u32::from(bits);
                (((value.lo << shift) as i64) >> shift).to_string()
            }
            _ => "?".to_owned(),
        });
    }
    out.join(" ")
}
