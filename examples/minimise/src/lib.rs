//! Where a chain comes to rest: the energy is a function in C, its gradient is loaded into this process, and the
//! minimiser is in Rust.
//!
//! The method is that of the gradient with steps by Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988), shortened until
//! the energy is below the greatest of the last ten (Grippo, Lampariello and Lucidi, SIAM J. Numer. Anal. 23, 1986).

#![allow(unsafe_code, reason = "the loaded gradient is called")]

use adjudicate::native::{Symbol, gradient};
use adjudicate::{Error, load};
use std::path::Path;

/// Points, their shadow, their number, the width, the seed, and where the energy goes.
type Gradient = unsafe extern "C" fn(*const f64, *mut f64, i32, f64, f64, *mut f64);

/// Chains of any length.
pub struct Chains {
    gradient: Symbol<Gradient>,
}

impl Chains {
    /// Compiles the energy with its gradient.
    pub fn new() -> Result<Chains, Error> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/chain.c");
        let library = load(source).with(gradient("energy").dup().constant().constant().with_value()).open()?;
        Ok(Chains { gradient: library.gradient("energy")? })
    }

    /// The energy of a chain, and its gradient.
    pub fn energy(&self, points: &[f64], width: f64) -> (f64, Vec<f64>) {
        let (mut energy, mut shadow) = (0.0, vec![0.0; points.len()]);
        let n = i32::try_from(points.len() / 2).expect("a chain that fits a computer");
        // SAFETY: `points` and `shadow` hold two numbers for each of the `n` points.
        unsafe { (self.gradient)(points.as_ptr(), shadow.as_mut_ptr(), n, width, 1.0, &mut energy) };
        (energy, shadow)
    }

    /// Where a chain comes to rest that starts at these points, and in how many steps; `None` if it does not.
    pub fn at_rest(&self, mut points: Vec<f64>, width: f64) -> Option<(Vec<f64>, usize)> {
        let (energy, mut slope) = self.energy(&points, width);
        let (mut last, mut step) = (vec![energy], 1e-3);
        for count in 0..10_000 {
            let steepness = dot(&slope, &slope);
            if steepness.sqrt() < 1e-9 {
                return Some((points, count));
            }
            let bound = last.iter().rev().take(10).fold(f64::MIN, |a, b| a.max(*b));
            let (next, energy, next_slope) = loop {
                let next: Vec<f64> = points.iter().zip(&slope).map(|(p, s)| p - step * s).collect();
                let (energy, slope) = self.energy(&next, width);
                // Rounding alone may hide that the energy falls when there is next to no slope.
                if energy <= bound - 1e-4 * step * steepness + 1e-13 * bound.abs() {
                    break (next, energy, slope);
                }
                step /= 2.0;
            };
            let moved: Vec<f64> = next.iter().zip(&points).map(|(a, b)| a - b).collect();
            let turned: Vec<f64> = next_slope.iter().zip(&slope).map(|(a, b)| a - b).collect();
            let curvature = dot(&moved, &turned);
            step = if curvature > 0.0 { dot(&moved, &moved) / curvature } else { 1e-2 };
            last.push(energy);
            (points, slope) = (next, next_slope);
        }
        None
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
