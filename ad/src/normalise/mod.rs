//! One form for what front ends and optimisers leave: the functions that a call reaches are copied, and rewritten until
//! the analyses need to know one spelling of each construct.

pub mod clone_contexts;
pub mod collect;
pub mod indirect;
pub mod inline;
pub mod library_bodies;
pub mod lower;
pub mod outline;
pub mod preheaders;
pub mod promote;
pub mod reducible;
pub mod split_pointers;
pub mod variadic;
