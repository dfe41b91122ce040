//! The functions of the table that a C program can call, with the arguments to call them with.
//!
//! Names, signatures and domains all come from `rules`: a row that is added there is generated from then on.
//! A domain is one of the row's own sampling regions, cut to numbers of moderate size; the largest result is
//! estimated from samples of the primal in multi-precision, and results are scaled by it.

use super::ast::Width;
use rug::Float;
use rules::Op;
use rules::row::Range;
use std::sync::LazyLock;

/// What a call looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Numbers in, a number out.
    Plain,
    /// The last argument is an integer of this C type.
    IntLast(&'static str),
    /// The first argument is an `int`.
    IntFirst,
    /// The last argument takes an `int`; a number is returned.
    IntOut,
    /// The last argument takes a number; another is returned.
    FloatOut,
    /// The last two arguments take numbers; nothing is returned.
    TwoOut,
}

/// A function with a region to call it in.
#[derive(Clone, Debug)]
pub struct Callable {
    /// The operation.
    pub op: Op,
    /// Its name for `double`, for `float`.
    names: [&'static str; 2],
    /// Its signature.
    pub shape: Shape,
    /// For each number among the arguments, the least and the greatest value; equal for a constant.
    pub domain: Vec<(f64, f64)>,
    /// For each integer among them.
    pub ints: Vec<(i64, i64)>,
    /// Size of the largest result.
    pub bound: f64,
}

impl Callable {
    /// Its name at a width.
    pub fn name(&self, width: Width) -> &'static str {
        match width {
            // Calls in `long double` are not made.
            Width::F64 | Width::F80 => self.names[0],
            Width::F32 => self.names[1],
        }
    }

    /// Results that a call gives.
    pub fn results(&self) -> usize {
        match self.shape {
            Shape::Plain | Shape::IntLast(_) | Shape::IntFirst | Shape::IntOut => 1,
            Shape::FloatOut | Shape::TwoOut => 2,
        }
    }

    /// Can a call stand in an expression?
    pub fn is_expression(&self) -> bool {
        matches!(self.shape, Shape::Plain | Shape::IntLast(_) | Shape::IntFirst)
    }

    /// The declaration.
    pub fn prototype(&self, width: Width) -> String {
        let f = width.min(Width::F64).c();
        let numbers = vec![f; self.domain.len()].join(", ");
        let name = self.name(width);
        match self.shape {
            Shape::Plain => format!("{f} {name}({numbers});"),
            Shape::IntLast(int) => format!("{f} {name}({numbers}, {int});"),
            Shape::IntFirst => format!("{f} {name}(int, {numbers});"),
            Shape::IntOut => format!("{f} {name}({numbers}, int *);"),
            Shape::FloatOut => format!("{f} {name}({numbers}, {f} *);"),
            Shape::TwoOut => format!("void {name}({numbers}, {f} *, {f} *);"),
        }
    }
}

/// The list of host functions as callables without regions.
macro_rules! by_shape {
    (
        (F) -> F { $($a:ident $ad:ident $af:ident;)* }
        (F, F) -> F { $($b:ident $bd:ident $bf:ident;)* }
        (F, long double) -> F { $($skip0:tt)* }
        (text) -> F { $($skip1:tt)* }
        (F, F, F) -> F { $($c:ident $cd:ident $cf:ident;)* }
        (F, i32) -> F { $($d:ident $dd:ident $df:ident;)* }
        (F, i64) -> F { $($e:ident $ed:ident $ef:ident;)* }
        (i32, F) -> F { $($g:ident $gd:ident $gf:ident;)* }
        (F, out i32) -> F { $($h:ident $hd:ident $hf:ident;)* }
        (F, out F) -> F { $($i:ident $id:ident $if:ident;)* }
        (F, F, out i32) -> F { $($j:ident $jd:ident $jf:ident;)* }
        (F, out F, out F) { $($k:ident $kd:ident $kf:ident;)* }
        $($rest:tt)*
    ) => {{
        vec![
            $((Op::$a, [stringify!($ad), stringify!($af)], Shape::Plain),)*
            $((Op::$b, [stringify!($bd), stringify!($bf)], Shape::Plain),)*
            $((Op::$c, [stringify!($cd), stringify!($cf)], Shape::Plain),)*
            $((Op::$d, [stringify!($dd), stringify!($df)], Shape::IntLast("int")),)*
            $((Op::$e, [stringify!($ed), stringify!($ef)], Shape::IntLast("long")),)*
            $((Op::$g, [stringify!($gd), stringify!($gf)], Shape::IntFirst),)*
            $((Op::$h, [stringify!($hd), stringify!($hf)], Shape::IntOut),)*
            $((Op::$i, [stringify!($id), stringify!($if)], Shape::FloatOut),)*
            $((Op::$j, [stringify!($jd), stringify!($jf)], Shape::IntOut),)*
            $((Op::$k, [stringify!($kd), stringify!($kf)], Shape::TwoOut),)*
        ]
    }};
}

/// Every callable function, once for each of its regions.
pub fn all() -> &'static [Callable] {
    &ALL
}

static ALL: LazyLock<Vec<Callable>> = LazyLock::new(|| {
    let listed = rules::for_each_host_function!(by_shape);
    listed.into_iter().flat_map(|(op, names, shape)| regions(op, names, shape)).collect()
});

/// Arguments of this size at most, where the region reaches so near to zero.
const MODERATE: f64 = 3.0;
/// Larger results are not wanted: their derivatives would drown everything else.
const LARGEST: f64 = 500.0;
/// Narrower ranges are passed over.
const NARROW: f64 = 0.2;
/// Ranges beyond are passed over: `float` does not reach as far as `double`.
const FAR: f64 = 1e4;
/// Samples for each argument.
const SAMPLES: u32 = 9;

fn regions(op: Op, names: [&'static str; 2], shape: Shape) -> Vec<Callable> {
    let row = op.row();
    let mut all = Vec::new();
    for region in &row.regions {
        let domain: Vec<(f64, f64)> = region.x.iter().map(moderate).collect();
        let ints: Vec<(i64, i64)> = region.n.iter().map(few).collect();
        let mut it = Callable { op, names, shape, domain, ints, bound: 0.0 };
        // A region like that just below 1 is there to see cancellation: arguments cannot be steered into it.
        let tame = |(low, high): &(f64, f64)| (low == high || high - low > NARROW) && low.abs().max(high.abs()) < FAR;
        if !it.domain.iter().all(tame) {
            continue;
        }
        let bound = largest(&it);
        if bound.is_finite() && bound < LARGEST {
            it.bound = (bound * 1.1).max(0.01);
            all.push(it);
        }
    }
    all
}

/// The part of a range that lies nearest to zero, without its very ends.
fn moderate(range: &Range) -> (f64, f64) {
    match *range {
        Range::Integers(low, high) => {
            let n = low.max(1).min(high) as f64;
            (n, n)
        }
        Range::Reals(low, high) => {
            let (low, high) = if low >= MODERATE {
                (low, high.min(low + MODERATE))
            } else if high <= -MODERATE {
                (low.max(high - MODERATE), high)
            } else {
                (low.max(-MODERATE), high.min(MODERATE))
            };
            let margin = 0.07 * (high - low);
            (low + margin, high - margin)
        }
    }
}

fn few(range: &Range) -> (i64, i64) {
    match *range {
        Range::Integers(low, high) => (low.max(-3), high.min(3).max(low.max(-3))),
        Range::Reals(low, high) => (low as i64, high as i64),
    }
}

/// The largest result on a grid.
fn largest(it: &Callable) -> f64 {
    let precision = 64;
    let arity = it.domain.len() as u32;
    let mut largest: f64 = 0.0;
    let ints: Vec<Vec<i64>> = match it.ints.first() {
        None => vec![Vec::new()],
        Some((low, high)) => (*low..=*high).map(|n| vec![n]).collect(),
    };
    for n in &ints {
        for point in 0..SAMPLES.pow(arity) {
            let mut rest = point;
            let x: Vec<Float> = it
                .domain
                .iter()
                .map(|(low, high)| {
                    let step = f64::from(rest % SAMPLES) / f64::from(SAMPLES - 1);
                    rest /= SAMPLES;
                    Float::with_val(precision, low + (high - low) * step)
                })
                .collect();
            for output in 0..it.op.row().outputs.len() {
                if let Some(y) = rules::primal(it.op, output, &x, n, precision) {
                    largest = if y.is_finite() { largest.max(y.to_f64().abs()) } else { f64::INFINITY };
                }
            }
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_with_a_bounded_region_can_be_called() {
        let listed = rules::for_each_host_function!(by_shape);
        let callable = |op: &Op| all().iter().any(|c| c.op == *op);
        let missing: Vec<Op> = listed.iter().map(|(op, ..)| *op).filter(|op| !callable(op)).collect();
        // The one region of `Logb` contains zero, where it is minus infinity.
        assert_eq!(missing, [Op::Logb]);
        assert!(listed.len() >= 69, "{} functions", listed.len());
    }

    #[test]
    fn domains_lie_in_the_regions_of_the_row() {
        for it in all() {
            let inside = |region: &&rules::row::Region| {
                it.domain.iter().zip(&region.x).all(|((low, high), range)| match *range {
                    Range::Reals(a, b) => a <= *low && *high <= b,
                    Range::Integers(a, b) => a as f64 <= *low && *high <= b as f64,
                })
            };
            assert!(it.op.row().regions.iter().any(|r| inside(&r)), "{it:?}");
        }
    }
}
