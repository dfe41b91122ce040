//! What every pass uses and none owns: building and cutting code, the regions of a function's control flow, names.
//!
//! | module | job |
//! |---|---|
//! | [`builder`] | appends instructions to a function |
//! | [`blocks`] | puts instructions before others, and splits blocks |
//! | [`copy`] | copies blocks |
//! | [`fold`] | follows known integers to branches |
//! | [`regions`] | loops and the blocks in them, as the passes see them |
//! | [`affine`] | what integers and addresses are made of, and sums of them |
//! | [`alias_scopes`] | metadata that tells LLVM which accesses do not overlap |
//! | [`names`] | functions and variables by name |
//!
//! Nothing here knows what a derivative is.

pub mod affine;
pub mod alias_scopes;
pub mod blocks;
pub mod builder;
pub mod copy;
pub mod fold;
pub mod marks;
pub mod names;
pub mod regions;
