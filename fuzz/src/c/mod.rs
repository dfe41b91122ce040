//! Programs in C: [`ast`] what they are, [`generate`] how they are drawn, [`print`] how they are written,
//! [`reduce`] how they are made smaller.

pub mod apart;
pub mod ast;
pub mod census;
pub mod generate;
pub mod moved;
pub mod odds;
pub mod print;
pub mod range;
pub mod reduce;
pub mod rules;
pub mod stepped;
pub mod teams;
pub mod travel;
mod ways;
