//! Doubly linked lists: `std::list` (`stl_list.h`). A node starts with `{ node *next, *prev }`, and so does the list's
//! head.

use crate::machine::Machine;
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Shim;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Offsets of the links.
const NEXT: i64 = 0;
const PREV: i64 = 8;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZNSt8__detail15_List_node_base7_M_hookEPS0_" => |i, c| {
            let (node, before) = (c.ptr(0)?, c.ptr(1)?);
            let last = link(&i.memory, before, PREV)?;
            join(&mut i.memory, last, node)?;
            join(&mut i.memory, node, before)?;
            Ok(Value::void())
        },
        "_ZNSt8__detail15_List_node_base9_M_unhookEv" => |i, c| {
            let (next, prev) = (link(&i.memory, c.ptr(0)?, NEXT)?, link(&i.memory, c.ptr(0)?, PREV)?);
            join(&mut i.memory, prev, next)?;
            Ok(Value::void())
        },
        // Moves the nodes [first, last) in front of this one.
        "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_" => |i, c| {
            let (here, first, last) = (c.ptr(0)?, c.ptr(1)?, c.ptr(2)?);
            if here.addr != last.addr {
                let tail = link(&i.memory, last, PREV)?;
                let before = link(&i.memory, first, PREV)?;
                let to = link(&i.memory, here, PREV)?;
                join(&mut i.memory, before, last)?;
                join(&mut i.memory, to, first)?;
                join(&mut i.memory, tail, here)?;
            }
            Ok(Value::void())
        },
        "_ZNSt8__detail15_List_node_base10_M_reverseEv" => |i, c| {
            let head = c.ptr(0)?;
            let mut node = head;
            loop {
                let (next, prev) = (link(&i.memory, node, NEXT)?, link(&i.memory, node, PREV)?);
                set(&mut i.memory, node, NEXT, prev)?;
                set(&mut i.memory, node, PREV, next)?;
                node = next;
                if node.addr == head.addr {
                    return Ok(Value::void());
                }
            }
        },
        "_ZNSt8__detail15_List_node_base4swapERS0_S1_" => |i, c| {
            let (a, b) = (c.ptr(0)?, c.ptr(1)?);
            let of_a = (link(&i.memory, a, NEXT)?, link(&i.memory, a, PREV)?);
            let of_b = (link(&i.memory, b, NEXT)?, link(&i.memory, b, PREV)?);
            adopt(&mut i.memory, a, b, of_b)?;
            adopt(&mut i.memory, b, a, of_a)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

fn link<S: Shadow>(memory: &Memory<S>, node: Pointer, which: i64) -> Res<Pointer> {
    let link = memory.load_ptr(node.offset(which), 8)?;
    if link.is_init() {
        return Ok(link.as_ptr());
    }
    Err(Fault::ub(UbKind::Uninitialised, "a link of a list's node is uninitialised"))
}

fn set<S: Shadow>(memory: &mut Memory<S>, node: Pointer, which: i64, to: Pointer) -> Res {
    memory.store(node.offset(which), Leaf::Ptr, Scalar::ptr(to), 8)
}

/// Makes two nodes neighbours.
fn join<S: Shadow>(memory: &mut Memory<S>, first: Pointer, second: Pointer) -> Res {
    set(memory, first, NEXT, second)?;
    set(memory, second, PREV, first)
}

/// Hangs the nodes of the list `from`, whose links were `links`, under the head `to`.
fn adopt<S: Shadow>(memory: &mut Memory<S>, to: Pointer, from: Pointer, links: (Pointer, Pointer)) -> Res {
    let (next, prev) = links;
    if next.addr == from.addr {
        return join(memory, to, to);
    }
    join(memory, to, next)?;
    join(memory, prev, to)
}
