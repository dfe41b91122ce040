//! A differentiated call as it arrives at run time: its arguments taken apart by the activities of the primal's
//! parameters.

use super::beside::{Beside, Weighty};
use super::literals::Literals;
use super::region::Root;
use ad::Activity;
use ad::Judged;
use interp::company::{Other, Returned};
use interp::value::Flat;
use interp::{Interp, Leaf, Machine, Program, Scalar, Stop, Value};
use ir::{FloatKind, FuncId};
use std::collections::BTreeSet;

/// An active scalar argument.
#[derive(Clone, Debug)]
pub struct ActiveScalar {
    /// Index among the primal's parameters.
    pub parameter: usize,
    /// Index among the leaves of that argument.
    pub leaf: usize,
    /// Its format.
    pub kind: FloatKind,
    /// Its bits.
    pub bits: u128,
    /// Its name.
    pub name: String,
}

/// The call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The primal.
    pub primal: FuncId,
    /// The gradient to judge.
    pub gradient: FuncId,
    /// Arguments of the primal.
    pub primal_args: Vec<Value>,
    /// Arguments of the gradient.
    pub gradient_args: Vec<Value>,
    /// For each parameter of the primal, its index among the gradient's.
    pub indices: Vec<usize>,
    /// Duplicated pointers.
    pub roots: Vec<Root>,
    /// Active scalars, in the order of the components that the gradient returns.
    pub scalars: Vec<ActiveScalar>,
    /// Index of the seed among the gradient's arguments, with the format of the primal's result.
    pub seed: Option<(usize, FloatKind)>,
    /// The leaves of the primal's result.
    pub result: Vec<Leaf>,
    /// The leaves of the gradient's result.
    pub components: Vec<Leaf>,
    /// Tangents of active scalars among the gradient's arguments: argument, leaf and format.
    pub tangents: Vec<(usize, usize, FloatKind)>,
    /// The literals by which gradient and primal differ.
    pub literals: Literals,
    /// The formats in which the primal's own conversions round adjoints.
    pub extended: BTreeSet<FloatKind>,
    /// The other ranks, where the call is one of all ranks together.
    pub beside: Option<Beside>,
}

/// The leaves of a function's result.
pub(super) fn result_leaves(program: &Program, func: FuncId) -> Result<Vec<Leaf>, String> {
    let module = &program.module;
    let flat = Flat::new(&module.types, &module.layout, module.functions[func].ret)?;
    Ok(flat.leaves.iter().map(|(leaf, _)| *leaf).collect())
}

/// The name of a parameter, for components.
pub(super) fn parameter_name(function: &ir::Function, index: usize) -> String {
    let named = function.params.get(index).map(|p| function.values[p.value].name.as_str());
    match named {
        None | Some("") => format!("argument {}", index + 1),
        Some(name) => name.to_owned(),
    }
}

impl Call {
    /// A call of which nothing but the arguments is known.
    pub(super) fn empty(program: &Program, judged: &Judged, args: &[Value]) -> Call {
        Call {
            primal: judged.primal,
            gradient: judged.gradient,
            primal_args: Vec::new(),
            gradient_args: args.to_vec(),
            indices: Vec::new(),
            roots: Vec::new(),
            scalars: Vec::new(),
            seed: None,
            result: Vec::new(),
            components: Vec::new(),
            tangents: Vec::new(),
            literals: Literals::between(&program.module, judged.primal, judged.gradient),
            extended: super::formats::extended(&program.module, judged.primal),
            beside: None,
        }
    }

    /// Takes the arguments apart; an error says what of the signature is not supported.
    pub fn new(program: &Program, judged: &Judged, args: &[Value]) -> Result<Call, String> {
        let module = &program.module;
        let primal = &module.functions[judged.primal];
        let result = result_leaves(program, judged.primal)?;
        let components = result_leaves(program, judged.gradient)?;
        let mut call = Call { result, components, ..Call::empty(program, judged, args) };
        let declared = ir::debug::parameter_types(module, primal).unwrap_or_default();
        let mut rest = args.iter();
        let missing = || format!("the call of the gradient of `{}` has too few arguments", primal.name);
        for (index, param) in primal.params.iter().enumerate() {
            call.indices.push(args.len() - rest.len());
            let value = rest.next().ok_or_else(missing)?;
            let name = parameter_name(primal, index);
            let activity = judged.activities.get(index).copied().unwrap_or(Activity::Const);
            call.primal_args.push(value.clone());
            match activity {
                Activity::Const => {}
                Activity::Dup | Activity::DupNoNeed => {
                    let shadow = rest.next().ok_or_else(missing)?;
                    if let (Some(primal), Some(shadow)) = (value.first(), shadow.first())
                        && primal.is_init()
                        && shadow.is_init()
                    {
                        let noneed = activity == Activity::DupNoNeed;
                        let declared = declared.get(index).copied().flatten();
                        let (primal, shadow) = (primal.as_ptr(), shadow.as_ptr());
                        let at_run_time = judged.style.runtime_activity;
                        call.roots.push(Root { name, primal, shadow, noneed, declared, at_run_time });
                    }
                }
                Activity::Out => {
                    let flat = Flat::new(&module.types, &module.layout, param.ty)?;
                    let single = flat.leaves.len() == 1;
                    for (leaf, ((kind, _), (scalar, ()))) in flat.leaves.iter().zip(&value.leaves).enumerate() {
                        let Leaf::Float(kind) = *kind else { continue };
                        let name = if single { name.clone() } else { format!("{name}.{leaf}") };
                        let bits = scalar.bits();
                        call.scalars.push(ActiveScalar { parameter: index, leaf, kind, bits, name });
                    }
                }
            }
        }
        if judged.seeded
            && let Some(Leaf::Float(kind)) = call.result.first()
        {
            rest.next().ok_or_else(missing)?;
            call.seed = Some((args.len() - rest.len() - 1, *kind));
        }
        if !judged.seeded && matches!(call.result.as_slice(), [Leaf::Float(_)]) {
            // The call says that the result is constant.
            call.result.clear();
        }
        if call.components.len() != call.scalars.len() {
            return Err(format!(
                "`{}` returns {} numbers, but there are {} active scalars",
                module.functions[judged.gradient].name,
                call.components.len(),
                call.scalars.len()
            ));
        }
        Ok(call)
    }

    /// Executes a function of the call, with that of the other ranks beside it, if there are any.
    pub fn execute<M: Machine>(
        &self,
        interp: &mut Interp<'_, M>,
        func: FuncId,
        args: &[Value<M::Shadow>],
    ) -> Result<Returned<M>, Stop> {
        match self.beside.as_ref().map(Beside::company) {
            Some((company, rank)) => company.call(rank, interp, (func, args)),
            None => Ok((interp.call(func, args)?, Vec::new())),
        }
    }

    /// What the other ranks have left.
    pub fn elsewhere<M: Machine>(&self, others: &[Other<M>]) -> Vec<Weighty<M::Shadow>> {
        self.beside.as_ref().map(|beside| beside.outputs(others)).unwrap_or_default()
    }

    /// The index of a parameter of the primal among the gradient's.
    pub fn gradient_index(&self, parameter: usize) -> usize {
        self.indices.get(parameter).copied().unwrap_or(usize::MAX)
    }

    /// The seed's bits.
    pub fn seed_bits(&self) -> Option<(FloatKind, u128)> {
        let (index, kind) = self.seed?;
        let scalar: Scalar = self.gradient_args.get(index)?.first()?;
        Some((kind, scalar.bits()))
    }
}
