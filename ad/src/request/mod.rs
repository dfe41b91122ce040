//! The calling convention: which calls of a module ask for derivatives, what their arguments say, and what is put in
//! the place of each.
//!
//! | module | job |
//! |---|---|
//! | [`entry_points`], [`markers`] | the names by which derivatives are asked for, and the markers among the arguments |
//! | [`held_function`] | functions that variables hold |
//! | [`grouped`] | arguments of structures that are passed in pieces |
//! | [`autodiff`], [`split_mode`] | calls for a derivative at once, and for its two passes apart |
//! | [`annotations`], [`strided`], [`batch`], [`checkpoint_for`], [`choices`] | calls that are brought into the form of those |
//! | [`precision`] | calls for a function in another precision |
//! | [`unknown_names`], [`device_code`] | what is refused before anything is differentiated |
//! | [`order`], [`recursion`] | which calls are carried out first, and rules that ask for themselves |
//! | [`call_site`], [`width`], [`by_value`] | what is put in the place of a call |
//! | [`outcome`], [`delegate`] | what came of the calls; the same calls for another tool |

pub mod annotations;
pub mod autodiff;
pub mod batch;
pub(crate) mod by_value;
pub mod call_site;
pub mod checkpoint_for;
pub mod choices;
pub mod delegate;
pub mod device_code;
pub mod entry_points;
pub(crate) mod grouped;
pub(crate) mod held_function;
pub mod markers;
pub mod order;
pub mod outcome;
pub mod precision;
pub mod recursion;
pub mod split_mode;
pub mod strided;
pub mod unknown_names;
pub mod width;
