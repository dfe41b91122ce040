//! What the program says of itself, and what is known of functions that it only declares.
//!
//! | module | job |
//! |---|---|
//! | [`attributes`] | attributes and metadata of functions and variables, by name |
//! | [`registrations`] | registrations and annotations become attributes |
//! | [`annotations`], [`type_attributes`] | calls and attributes that tell what memory holds |
//! | [`loop_marks`] | loops that are named for checkpointing |
//! | [`custom_rule`] | gradients and tangents that the program gives |
//! | [`pieces`] | structures by value that are passed in several registers |
//! | [`externals`] | functions without a body: allocators, copies, rules of the table |
//! | [`openmp`] | the functions of the OpenMP runtime |
//! | [`threads`] | what stands for threads of POSIX, C and C++ |
//! | [`mpi`] | functions that send and receive messages, by the roles of their arguments |
//! | [`cell`] | kinds of data, and where values of a type have them |
//! | [`call_graph`] | which functions a function reaches |

pub mod annotations;
pub mod attributes;
pub mod call_graph;
pub mod cell;
pub mod custom_rule;
pub mod device;
pub mod externals;
pub mod futures;
pub mod loop_marks;
pub mod mpi;
pub mod openmp;
pub(crate) mod pieces;
pub mod registrations;
pub mod threads;
pub mod type_attributes;
