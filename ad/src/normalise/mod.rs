//! One form for what front ends and optimisers leave: the functions that a call reaches are copied, and rewritten until
//! the analyses need to know one spelling of each construct.
//!
//! | module | job |
//! |---|---|
//! | [`collect`], [`sources`], [`library_bodies`] | the functions that are reached, with bodies for some of the library |
//! | [`inline`], [`promote`], [`split_pointers`], [`unions`] | calls written out, variables in registers, words of unions |
//! | [`wrappers`] | functions that ask for the derivative of what their caller names |
//! | [`lower`], [`reducible`], [`preheaders`], [`variadic`] | rare constructs as frequent ones |
//! | [`atomics`] | what is done to a float in one piece |
//! | [`tasks`] | tasks of OpenMP |
//! | [`threads`], [`once`] | threads that are made one by one, and what only the first of them executes |
//! | [`locks`] | sections that threads try to enter, or leave while they wait |
//! | [`fork`], [`copyprivate`] | parallel regions, reductions and copies between threads of OpenMP |
//! | [`outline`] | loops with checkpoints as functions of a step |
//! | [`exceptions`], [`endings`] | exceptions as ordinary control flow; where a function ends without returning |
//! | [`dynamic_cast`] | pointers to the object around another one |
//! | [`indirect`], [`clone_contexts`] | what indirect calls may call; a copy of a function for each call |

pub mod atomics;
pub mod clone_contexts;
pub mod collect;
pub mod copyprivate;
pub mod dynamic_cast;
pub mod endings;
pub mod exceptions;
pub mod fork;
pub mod indirect;
pub mod inline;
pub mod lanes;
pub mod library_bodies;
pub mod locks;
pub mod lower;
pub mod once;
pub mod outline;
pub mod preheaders;
pub mod promote;
pub mod reducible;
pub mod sources;
pub mod split_pointers;
pub mod tasks;
pub mod threads;
pub mod unions;
pub mod variadic;
pub mod wrappers;
