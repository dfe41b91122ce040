//! Marks that one pass leaves on instructions for another, and who takes them away.

/// On a load: it reads what no other iteration writes. Left by [`crate::restructure::joint`], read by
/// [`crate::analysis::reload`], taken away when the gradient is finished ([`crate::reverse`]).
pub(crate) const APART: &str = "adj.apart";
