//! Dominators and loops against their definitions, on all small and many random graphs.

use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::loops::Loops;
use ir::{BlockId, Function, Inst, InstKind, Module, Operand};

/// A function whose block `i` jumps to the blocks `edges[i]`; the entry is an extra block that jumps to block 0,
/// so that any block may be the target of a jump.
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
            [default, rest @ ..] => {
                let value: Operand = func.param(0);
                let case = |(i, to): (usize, &usize)| (module.int(32, i as u128).constant().unwrap(), blocks[*to]);
                InstKind::Switch {
                    value,
                    default: blocks[*default],
                    cases: rest.iter().enumerate().map(case).collect(),
                }
            }
        };
        func.append(blocks[from], Inst::new(kind, void), false);
    }
    func
}

/// A small generator (Marsaglia, "Xorshift RNGs", 2003): the tests need variety, not quality.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Blocks reachable from `from` without passing `without`.
fn reach(func: &Function, from: BlockId, without: Option<BlockId>) -> Vec<BlockId> {
    let (mut seen, mut work) = (Vec::new(), vec![from]);
    while let Some(block) = work.pop() {
        if Some(block) != without && !seen.contains(&block) {
            seen.push(block);
            work.extend(func.successors(block));
        }
    }
    seen
}

/// Reducible exactly if removing self edges and merging blocks with a single predecessor into it ends with one
/// block (Hecht and Ullman, "Flow Graph Reducibility", 1972).
fn is_reducible(func: &Function) -> bool {
    let mut nodes = reach(func, func.entry(), None);
    let mut edges: Vec<(BlockId, BlockId)> =
        nodes.iter().flat_map(|b| func.successors(*b).into_iter().map(|s| (*b, s))).collect();
    loop {
        edges.retain(|(a, b)| a != b);
        edges.sort();
        edges.dedup();
        let single =
            nodes.iter().copied().find(|n| *n != func.entry() && edges.iter().filter(|e| e.1 == *n).count() == 1);
        let Some(node) = single else { return nodes.len() == 1 };
        let pred = edges.iter().find(|e| e.1 == node).map(|e| e.0).unwrap();
        nodes.retain(|n| *n != node);
        edges.retain(|e| e.1 != node);
        edges.iter_mut().filter(|e| e.0 == node).for_each(|e| e.0 = pred);
    }
}

/// Checks one graph; says whether it had a loop and whether it was irreducible, so that callers can see
/// that they tested something.
fn check(edges: &[Vec<usize>]) -> (bool, bool) {
    let func = function(edges);
    let cfg = Cfg::new(&func);
    let dom = DomTree::new(&func, &cfg);
    let loops = Loops::new(&func, &cfg, &dom);
    let live = reach(&func, func.entry(), None);
    let dominates =
        |a, b| !live.contains(&b) || (live.contains(&a) && !reach(&func, func.entry(), Some(a)).contains(&b));

    for &b in &func.layout {
        assert_eq!(cfg.is_reachable(b), live.contains(&b), "reachable {b:?} in {edges:?}");
        for &a in &func.layout {
            assert_eq!(dom.dominates(a, b), dominates(a, b), "{a:?} dominates {b:?} in {edges:?}");
            if live.contains(&a) && live.contains(&b) {
                let common = dom.common_dominator(a, b).unwrap();
                let all: Vec<_> = live.iter().filter(|c| dominates(**c, a) && dominates(**c, b)).collect();
                assert!(all.contains(&&common) && all.iter().all(|c| dominates(**c, common)));
            }
        }
        let strict: Vec<_> = live.iter().filter(|a| **a != b && live.contains(&b) && dominates(**a, b)).collect();
        let nearest = strict.iter().find(|a| strict.iter().all(|c| dominates(**c, ***a)));
        assert_eq!(dom.idom(b), nearest.map(|a| **a), "idom of {b:?} in {edges:?}");
    }

    assert_eq!(loops.irreducible.is_none(), is_reducible(&func), "reducible: {edges:?}");
    let is_latch = |b: &BlockId, h: BlockId| func.successors(*b).contains(&h) && dominates(h, *b);
    let mut headers = 0;
    for &h in &live {
        let latches: Vec<BlockId> = live.iter().copied().filter(|b| is_latch(b, h)).collect();
        let found = loops.loops.iter().find(|(_, l)| l.header == h);
        assert_eq!(found.is_some(), !latches.is_empty(), "header {h:?} in {edges:?}");
        let Some((id, l)) = found else { continue };
        headers += 1;
        let in_loop = |b: BlockId| b == h || reach(&func, b, Some(h)).iter().any(|r| latches.contains(r));
        let mut body: Vec<BlockId> = live.iter().copied().filter(|b| in_loop(*b)).collect();
        body.sort_by_key(|b| cfg.rpo_index(*b));
        assert_eq!(l.blocks, body, "blocks of the loop at {h:?} in {edges:?}");
        assert!(func.layout.iter().all(|b| loops.contains(id, *b) == body.contains(b)));
        assert!(l.latches.iter().all(|b| latches.contains(b)) && l.latches.len() == latches.len());
        for &b in &body {
            for s in func.successors(b) {
                assert_eq!(l.exits.contains(&(b, s)), !body.contains(&s));
            }
        }
        let around = |b: BlockId| loops.loops.values().filter(|l| l.blocks.contains(&b)).count();
        assert_eq!(l.depth as usize, around(h), "depth of {h:?} in {edges:?}");
        assert!(body.iter().all(|b| loops.depth(*b) as usize == around(*b)));
    }
    assert_eq!(headers, loops.loops.len());
    (headers > 0, loops.irreducible.is_some())
}

/// Every graph of three blocks with at most two distinct successors each.
#[test]
fn all_graphs_of_three_blocks() {
    let choices: Vec<Vec<usize>> = (0..8usize)
        .filter(|set| set.count_ones() <= 2)
        .map(|set| (0..3).filter(|b| set >> b & 1 == 1).collect())
        .collect();
    let (mut with_loops, mut irreducible) = (0, 0);
    for a in &choices {
        for b in &choices {
            for c in &choices {
                let (l, i) = check(&[a.clone(), b.clone(), c.clone()]);
                with_loops += usize::from(l);
                irreducible += usize::from(i);
            }
        }
    }
    assert!(with_loops > 50 && irreducible > 0, "{with_loops} with loops, {irreducible} irreducible");
}

#[test]
fn random_graphs() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut with_loops, mut irreducible) = (0, 0);
    for _ in 0..1500 {
        let n = 2 + random.below(10);
        let mut edges = Vec::new();
        for _ in 0..n {
            edges.push((0..random.below(4)).map(|_| random.below(n) as usize).collect());
        }
        let (l, i) = check(&edges);
        with_loops += usize::from(l);
        irreducible += usize::from(i);
    }
    assert!(with_loops > 300 && irreducible > 100, "{with_loops} with loops, {irreducible} irreducible");
}

/// A chain of 100 000 blocks neither overflows the stack nor takes long.
#[test]
fn deep_graph() {
    let edges: Vec<Vec<usize>> = (0..100_000).map(|i| if i + 1 < 100_000 { vec![i + 1] } else { vec![] }).collect();
    let func = function(&edges);
    let cfg = Cfg::new(&func);
    let dom = DomTree::new(&func, &cfg);
    assert!(dom.dominates(func.layout[1], func.layout[99_999]));
    assert!(!dom.dominates(func.layout[99_999], func.layout[1]));
}

#[test]
fn instructions_in_order() {
    let mut module = Module::default();
    let (void, i32) = (module.types.void(), module.types.int(32));
    let mut func = Function::new("f", void, &[i32]);
    let entry = func.add_block("");
    let freeze = InstKind::Freeze(func.param(0));
    let first = func.append(entry, Inst::new(freeze, i32), true);
    let ret = func.append(entry, Inst::new(InstKind::Ret(None), void), false);
    let (cfg, positions) = (Cfg::new(&func), Positions::new(&func));
    let dom = DomTree::new(&func, &cfg);
    assert!(dom.inst_dominates(&positions, first, ret) && !dom.inst_dominates(&positions, ret, first));
    assert!(!dom.inst_dominates(&positions, first, first));
    let value = func.insts[first].result.unwrap();
    assert!(dom.available(&func, &positions, value, (entry, 1)));
    assert!(!dom.available(&func, &positions, value, (entry, 0)));
    assert!(dom.available(&func, &positions, func.params[0].value, (entry, 0)));
}
