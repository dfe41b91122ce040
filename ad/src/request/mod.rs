//! The calling convention: which calls of a module ask for derivatives, what their arguments say, and what is put in
//! the place of each.

pub mod annotations;
pub mod autodiff;
pub mod batch;
pub mod call_site;
pub mod checkpoint_for;
pub mod delegate;
pub mod device_code;
pub mod entry_points;
pub mod markers;
pub mod order;
pub mod outcome;
pub mod recursion;
pub mod split_mode;
pub mod strided;
pub mod unknown_names;
pub mod width;
