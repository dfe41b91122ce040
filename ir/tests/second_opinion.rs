//! Dominators and reachable blocks of random graphs, as petgraph finds them.

use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::{BlockId, Function, Inst, InstKind, Module};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

/// A function whose block `i` jumps to the blocks `edges[i]`; an extra entry jumps to the first of them.
fn function(edges: &[Vec<usize>]) -> Function {
    let mut module = Module::default();
    let (void, i32) = (module.types.void(), module.types.int(32));
    let mut func = Function::new("f", void, &[i32]);
    let entry = func.add_block("entry");
    let blocks: Vec<BlockId> = edges.iter().map(|_| func.add_block("")).collect();
    func.append(entry, Inst::new(InstKind::Br(blocks[0]), void), false);
    for (from, targets) in edges.iter().enumerate() {
        let kind = match targets.as_slice() {
            [] => InstKind::Unreachable,
            [to] => InstKind::Br(blocks[*to]),
            [default, rest @ ..] => InstKind::Switch {
                value: func.param(0),
                default: blocks[*default],
                cases: (0..).zip(rest).map(|(i, to)| (module.int(32, i).constant().unwrap(), blocks[*to])).collect(),
            },
        };
        func.append(blocks[from], Inst::new(kind, void), false);
    }
    func
}

/// Graphs of up to 60 blocks: many short jumps, some long ones.
fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1..60_usize).prop_flat_map(|blocks| {
        let target = move |from: usize| {
            let near = (0..5_usize).prop_map(move |by| (from + by).saturating_sub(1).min(blocks - 1));
            prop_oneof![3 => near, 1 => 0..blocks]
        };
        let of = |from| prop::collection::vec(target(from), 0..4);
        (0..blocks).map(of).collect::<Vec<_>>()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn dominators_are_those_of_petgraph(edges in graphs()) {
        let func = function(&edges);
        let cfg = Cfg::new(&func);
        let dom = DomTree::new(&func, &cfg);
        let mut graph: DiGraph<BlockId, ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = func.layout.iter().map(|block| graph.add_node(*block)).collect();
        let node = |block: &BlockId| nodes[func.layout.iter().position(|b| b == block).unwrap()];
        for block in &func.layout {
            for to in func.successors(*block) {
                graph.add_edge(node(block), node(&to), ());
            }
        }
        let theirs = simple_fast(&graph, nodes[0]);
        for block in &func.layout {
            let parent = theirs.immediate_dominator(node(block)).map(|n| graph[n]);
            prop_assert_eq!(dom.idom(*block), parent, "the parent of {:?}", block);
            let reached = *block == func.entry() || parent.is_some();
            prop_assert_eq!(cfg.is_reachable(*block), reached, "whether {:?} is reached", block);
            let above: Vec<BlockId> = theirs.dominators(node(block)).into_iter().flatten().map(|n| graph[n]).collect();
            for other in func.layout.iter().filter(|_| reached) {
                prop_assert_eq!(dom.dominates(*other, *block), above.contains(other));
            }
        }
    }
}
