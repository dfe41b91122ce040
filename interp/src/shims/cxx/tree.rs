//! Red-black trees: `std::map`, `std::set` and their like (`stl_tree.h`).
//!
//! A node starts with `{ int colour, node *parent, *left, *right }`, red being 0. The header is such a node as well:
//! its parent is the root, its left and right are the leftmost and rightmost node, and it is red, so that decrementing
//! `end()` can tell it from the root. The algorithms are those of Cormen, Leiserson, Rivest and Stein, "Introduction to
//! Algorithms", chapter 13, with null for their sentinel.

use crate::machine::Machine;
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base" | "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base" => {
            |i, c| Ok(Value::ptr(Tree(&mut i.memory).increment(c.ptr(0)?)?))
        }
        "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base" | "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base" => {
            |i, c| Ok(Value::ptr(Tree(&mut i.memory).decrement(c.ptr(0)?)?))
        }
        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_" => insert,
        "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_" => {
            |i, c| Ok(Value::ptr(Tree(&mut i.memory).erase(c.ptr(0)?, c.ptr(1)?)?))
        }
        _ => return None,
    })
}

fn insert<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let left = call.uint(0)? & 1 == 1;
    Tree(&mut interp.memory).insert(left, call.ptr(1)?, call.ptr(2)?, call.ptr(3)?)?;
    Ok(Value::void())
}

/// Offsets of the links of a node.
const PARENT: i64 = 8;
const LEFT: i64 = 16;
const RIGHT: i64 = 24;
const RED: u64 = 0;
const BLACK: u64 = 1;

/// The memory that holds a tree.
struct Tree<'a, S>(&'a mut Memory<S>);

/// The other side.
fn mirror(side: i64) -> i64 {
    if side == LEFT { RIGHT } else { LEFT }
}

impl<S: Shadow> Tree<'_, S> {
    fn link(&self, node: Pointer, which: i64) -> Res<Pointer> {
        let link = self.0.load_ptr(node.offset(which), 8)?;
        if link.is_init() {
            return Ok(link.as_ptr());
        }
        Err(Fault::ub(UbKind::Uninitialised, "a link of a tree's node is uninitialised"))
    }

    fn set(&mut self, node: Pointer, which: i64, to: Pointer) -> Res {
        self.0.store(node.offset(which), Leaf::Ptr, Scalar::ptr(to), 8)
    }

    fn parent(&self, node: Pointer) -> Res<Pointer> {
        self.link(node, PARENT)
    }

    /// The colour; no node is black.
    fn colour(&self, node: Pointer) -> Res<u64> {
        if node.is_null() {
            return Ok(BLACK);
        }
        let colour = self.0.load(node, Leaf::Int(32), 4)?;
        if colour.is_init() {
            return Ok(colour.lo);
        }
        Err(Fault::ub(UbKind::Uninitialised, "the colour of a tree's node is uninitialised"))
    }

    fn paint(&mut self, node: Pointer, colour: u64) -> Res {
        self.0.store(node, Leaf::Int(32), Scalar::word(colour), 4)
    }

    /// The node farthest to one side.
    fn extreme(&self, mut node: Pointer, side: i64) -> Res<Pointer> {
        loop {
            let next = self.link(node, side)?;
            if next.is_null() {
                return Ok(node);
            }
            node = next;
        }
    }

    /// The next node in the direction of `side`.
    fn step(&self, mut node: Pointer, side: i64) -> Res<Pointer> {
        let child = self.link(node, side)?;
        if !child.is_null() {
            return self.extreme(child, mirror(side));
        }
        let mut parent = self.parent(node)?;
        while node.addr == self.link(parent, side)?.addr {
            node = parent;
            parent = self.parent(parent)?;
        }
        // A root without a child on that side: the way up went through the header and back.
        Ok(if self.link(node, side)?.addr == parent.addr { node } else { parent })
    }

    fn increment(&self, node: Pointer) -> Res<Pointer> {
        self.step(node, RIGHT)
    }

    fn decrement(&self, node: Pointer) -> Res<Pointer> {
        let above = self.parent(node)?;
        if self.colour(node)? == RED && !above.is_null() && self.parent(above)?.addr == node.addr {
            // The header: the node before `end()`.
            return self.link(node, RIGHT);
        }
        self.step(node, LEFT)
    }

    /// Puts `new` where `old` hangs.
    fn replace(&mut self, old: Pointer, new: Pointer, header: Pointer) -> Res {
        let above = self.parent(old)?;
        if self.parent(header)?.addr == old.addr {
            self.set(header, PARENT, new)
        } else if self.link(above, LEFT)?.addr == old.addr {
            self.set(above, LEFT, new)
        } else {
            self.set(above, RIGHT, new)
        }
    }

    /// Turns `node` down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, node: Pointer, side: i64, header: Pointer) -> Res {
        let other = mirror(side);
        let up = self.link(node, other)?;
        let inner = self.link(up, side)?;
        self.set(node, other, inner)?;
        if !inner.is_null() {
            self.set(inner, PARENT, node)?;
        }
        let above = self.parent(node)?;
        self.replace(node, up, header)?;
        self.set(up, PARENT, above)?;
        self.set(up, side, node)?;
        self.set(node, PARENT, up)
    }

    fn insert(&mut self, left: bool, node: Pointer, under: Pointer, header: Pointer) -> Res {
        self.set(node, PARENT, under)?;
        self.set(node, LEFT, Pointer::NULL)?;
        self.set(node, RIGHT, Pointer::NULL)?;
        self.paint(node, RED)?;
        let side = if left { LEFT } else { RIGHT };
        if under.addr == header.addr {
            self.set(header, PARENT, node)?;
            self.set(header, LEFT, node)?;
            self.set(header, RIGHT, node)?;
        } else {
            self.set(under, side, node)?;
            // The header's left and right are the extremes.
            if self.link(header, side)?.addr == under.addr {
                self.set(header, side, node)?;
            }
        }
        self.after_insertion(node, header)
    }

    /// RB-INSERT-FIXUP: no red node has a red parent.
    fn after_insertion(&mut self, mut node: Pointer, header: Pointer) -> Res {
        loop {
            let parent = self.parent(node)?;
            if self.parent(header)?.addr == node.addr || self.colour(parent)? == BLACK {
                break;
            }
            let grand = self.parent(parent)?;
            let side = if self.link(grand, LEFT)?.addr == parent.addr { LEFT } else { RIGHT };
            let uncle = self.link(grand, mirror(side))?;
            if self.colour(uncle)? == RED {
                self.paint(parent, BLACK)?;
                self.paint(uncle, BLACK)?;
                self.paint(grand, RED)?;
                node = grand;
                continue;
            }
            let mut parent = parent;
            if self.link(parent, mirror(side))?.addr == node.addr {
                self.rotate(parent, side, header)?;
                (node, parent) = (parent, node);
            }
            self.paint(parent, BLACK)?;
            self.paint(grand, RED)?;
            self.rotate(grand, mirror(side), header)?;
        }
        let root = self.parent(header)?;
        self.paint(root, BLACK)
    }

    /// RB-DELETE: takes `node` out of the tree and returns it.
    fn erase(&mut self, node: Pointer, header: Pointer) -> Res<Pointer> {
        let (left, right) = (self.link(node, LEFT)?, self.link(node, RIGHT)?);
        let removed;
        let (hole, above);
        if left.is_null() || right.is_null() {
            removed = self.colour(node)?;
            hole = if left.is_null() { right } else { left };
            above = self.parent(node)?;
            self.replace(node, hole, header)?;
            if !hole.is_null() {
                self.set(hole, PARENT, above)?;
            }
            for side in [LEFT, RIGHT] {
                if self.link(header, side)?.addr == node.addr {
                    let extreme = if hole.is_null() { above } else { self.extreme(hole, side)? };
                    self.set(header, side, extreme)?;
                }
            }
        } else {
            // The successor takes the node's place and colour.
            let next = self.extreme(right, LEFT)?;
            removed = self.colour(next)?;
            hole = self.link(next, RIGHT)?;
            if next.addr == right.addr {
                above = next;
            } else {
                above = self.parent(next)?;
                self.set(above, LEFT, hole)?;
                if !hole.is_null() {
                    self.set(hole, PARENT, above)?;
                }
                self.set(next, RIGHT, right)?;
                self.set(right, PARENT, next)?;
            }
            self.replace(node, next, header)?;
            let over = self.parent(node)?;
            self.set(next, PARENT, over)?;
            self.set(next, LEFT, left)?;
            self.set(left, PARENT, next)?;
            let colour = self.colour(node)?;
            self.paint(next, colour)?;
            // The colour taken out goes with the node, as libstdc++ leaves it.
            self.paint(node, removed)?;
        }
        if removed == BLACK {
            self.after_removal(hole, above, header)?;
        }
        Ok(node)
    }

    /// RB-DELETE-FIXUP: `node` (perhaps none), under `above`, counts as doubly black.
    fn after_removal(&mut self, mut node: Pointer, mut above: Pointer, header: Pointer) -> Res {
        while self.parent(header)?.addr != node.addr && self.colour(node)? == BLACK {
            let side = if self.link(above, LEFT)?.addr == node.addr { LEFT } else { RIGHT };
            let other = mirror(side);
            let mut sibling = self.link(above, other)?;
            if self.colour(sibling)? == RED {
                self.paint(sibling, BLACK)?;
                self.paint(above, RED)?;
                self.rotate(above, side, header)?;
                sibling = self.link(above, other)?;
            }
            let (near, far) = (self.link(sibling, side)?, self.link(sibling, other)?);
            if self.colour(near)? == BLACK && self.colour(far)? == BLACK {
                self.paint(sibling, RED)?;
                node = above;
                above = self.parent(above)?;
                continue;
            }
            if self.colour(far)? == BLACK {
                self.paint(near, BLACK)?;
                self.paint(sibling, RED)?;
                self.rotate(sibling, other, header)?;
                sibling = self.link(above, other)?;
            }
            let colour = self.colour(above)?;
            self.paint(sibling, colour)?;
            self.paint(above, BLACK)?;
            let far = self.link(sibling, other)?;
            if !far.is_null() {
                self.paint(far, BLACK)?;
            }
            self.rotate(above, side, header)?;
            break;
        }
        if !node.is_null() {
            self.paint(node, BLACK)?;
        }
        Ok(())
    }
}
