//! Integers and addresses as sums: how instructions make them, and with what promises ([`integers`]), and sums to
//! compute with ([`form`]).
//!
//! Who asks what: [`crate::analysis::affine`] which loads and stores of a loop share a cell, and which never do;
//! [`crate::restructure::joint::terms`] between which numbers an address is, as terms with products and choices;
//! [`crate::optimise`] how far accesses of a gradient are apart, modulo 2⁶⁴.

pub mod form;
pub mod integers;
