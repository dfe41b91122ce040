//! Which way to turn the knobs of a pendulum: gradients of C in a program of Rust.

unsafe extern "C" {
    fn pendulum_angle(start: f64, speed: f64, length: f64, steps: i32) -> f64;
    fn pendulum_sensitivities(start: f64, speed: f64, length: f64, steps: i32, out: *mut f64);
}

/// The angle after a number of steps.
fn angle(at: [f64; 3], steps: i32) -> f64 {
    // SAFETY: the function computes with its arguments alone.
    unsafe { pendulum_angle(at[0], at[1], at[2], steps) }
}

/// Its derivatives with respect to the angle and the speed at the start, and to the length.
fn sensitivities(at: [f64; 3], steps: i32) -> [f64; 3] {
    let mut out = [0.0; 3];
    // SAFETY: the function writes three doubles to `out` and nothing else.
    unsafe { pendulum_sensitivities(at[0], at[1], at[2], steps, out.as_mut_ptr()) };
    out
}

fn main() {
    let (at, steps) = ([0.5, 0.0, 1.2], 150);
    let gradient = sensitivities(at, steps);
    for (k, name) in ["angle", "speed", "length"].into_iter().enumerate() {
        // A difference quotient beside it.
        let shifted = |h: f64| {
            let mut x = at;
            x[k] += h;
            angle(x, steps)
        };
        let quotient = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        println!("with respect to {name}: {:+.6}", gradient[k]);
        assert!((gradient[k] - quotient).abs() < 1e-6, "{name}: {} and {quotient}", gradient[k]);
    }
}
