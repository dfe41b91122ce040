//! What there is, as a list for people.

use crate::{ablation, figure1, figure7, figure10, programs, sc22, table1};

/// The reproductions, and the programs of those that can do with some of them.
pub fn all() -> String {
    let abouts = [&table1::ABOUT, &figure1::ABOUT, &figure7::ABOUT, &figure10::ABOUT, &ablation::ABOUT, &sc22::ABOUT];
    let abouts: String = abouts.iter().map(|about| format!("{:<9} {}\n", about.name, about.title)).collect();
    format!("{abouts}\nprograms of table1, figure10 and ablation:\n{}", programs::list())
}
