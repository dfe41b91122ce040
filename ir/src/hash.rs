//! Hash tables keyed by entities and interned data: a fast hash without a random seed, since nobody chooses these keys
//! to collide.

use foldhash::fast::FixedState;

/// A map.
pub type HashMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A set.
pub type HashSet<T> = std::collections::HashSet<T, FixedState>;

/// A set in the order of insertion.
pub(crate) type Table<T> = indexmap::IndexSet<T, FixedState>;
