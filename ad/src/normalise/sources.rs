//! The copies of functions that are analysed and differentiated.

use ir::{FuncId, Function};
use std::collections::BTreeMap;

/// The normalised copies, by the function they copy ([`crate::normalise::collect`]).
pub type Sources = BTreeMap<FuncId, Function>;
