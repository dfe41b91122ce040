//! Structures, enumerations, traits and closures.
#![crate_type = "lib"]

unsafe extern "C" {
    fn __enzyme_autodiff(f: *const (), ...) -> f64;
    static enzyme_dup: i32;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Particle {
    position: [f64; 3],
    mass: f64,
    kind: u32,
}

enum Law {
    Spring { stiffness: f64 },
    Gravity,
}

trait Potential {
    fn between(&self, a: &Particle, b: &Particle) -> f64;
}

impl Potential for Law {
    fn between(&self, a: &Particle, b: &Particle) -> f64 {
        let squared: f64 = a.position.iter().zip(&b.position).map(|(p, q)| (p - q) * (p - q)).sum();
        match self {
            Law::Spring { stiffness } => 0.5 * stiffness * squared,
            Law::Gravity => -a.mass * b.mass / squared.sqrt(),
        }
    }
}

fn total(particles: &[Particle; 3], law: impl Fn(&Particle, &Particle) -> Law) -> f64 {
    let mut sum = 0.0;
    for (i, a) in particles.iter().enumerate() {
        for b in &particles[i + 1..] {
            sum += law(a, b).between(a, b);
        }
    }
    sum
}

#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn energy(particles: &[Particle; 3]) -> f64 {
    let stiffness = particles[0].mass + 1.0;
    total(particles, |a, b| if a.kind == b.kind { Law::Spring { stiffness } } else { Law::Gravity })
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let of = |x: f64, kind| Particle { position: [x, 0.5 * x, 1.0 - x], mass: 1.0 + x, kind };
    let particles = [of(0.0, 1), of(1.0, 1), of(2.5, 2)];
    let mut shadow = [Particle { position: [0.0; 3], mass: 0.0, kind: 0 }; 3];
    unsafe {
        __enzyme_autodiff(energy as *const (), &raw const enzyme_dup, &raw const particles, &raw mut shadow);
    }
    0
}
