//! Numbers and pointers that travel, each a block of its own around two numbers and a count, as the shapes of
//! [`super::idiom`] are.
//!
//! Both numbers are at most [`BOUND`] in size and the count lies between 1 and 4; each block stores at most half of the
//! bound. All arithmetic on words is unsigned, all shifts are smaller than the word, and what the library may refuse to
//! open ends the program.

mod bits;
mod constant;
mod link;
mod moved;
mod sort;
mod stepped;
#[cfg(test)]
mod tests;
mod text;

use super::Printer;
use crate::c::ast::{BOUND, Float, Int, Place, Width};
use crate::c::travel::Travel;

/// What a block is made around, as text.
struct Ends {
    /// The cell that gets the result.
    to: String,
    /// The first number.
    a: String,
    /// The second number.
    b: String,
    /// The count.
    n: String,
}

impl Printer<'_> {
    pub(super) fn travel(&mut self, travel: &Travel, to: &Place, args: &[Float], count: &Int) {
        let half = Float::Const(0.5);
        let [a, b] = [0, 1].map(|i| self.bounded(args.get(i).unwrap_or(&half), Width::F64, BOUND / 2.0));
        let n = self.within(count, 1, 4);
        let n = if n.contains(' ') { format!("({n})") } else { n };
        let ends = Ends { to: self.place(to), a, b, n };
        let mut before = Vec::new();
        let text = match travel {
            Travel::Bits(it) => bits::lines(it, &ends, &mut before),
            Travel::Text(it) => text::lines(*it, &ends, &mut before),
            Travel::Sorted(it) => sort::lines(*it, &ends, &mut before),
            Travel::Linked(it) => link::lines(*it, &ends),
            Travel::Constant(it) => {
                let plan = self.name(it.plan);
                constant::lines(*it, &plan, &ends, &mut before)
            }
            Travel::Moved(it) => moved::lines(it, &ends, &mut before),
            Travel::Rounded(it) => stepped::rounded(*it, &ends, &mut before),
            Travel::Decided(it) => stepped::decided(*it, &ends, &mut before),
        };
        self.prototypes.extend(before);
        self.set_apart(&text);
    }
}
