//! The minimum vertex cut that decides what to store.
//!
//! Vertices are wanted values; an edge leads from each operand of a recipe to its result. A virtual source feeds what
//! must be stored if it is needed, a virtual sink drains what the reverse pass needs. Cutting a vertex costs its
//! weight. What can be had by running a part of a loop again ([`super::replay`]) is fed by one more vertex for that
//! part, from the source, which costs its price once, for however many values it gives. Maximum flow by Dinic's
//! algorithm (1970) on the graph with each vertex split in two; of all minimum cuts the one nearest to the needs is
//! taken, because a value that is stored late is recomputed least.

use crate::analysis::recompute::Recompute;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::Wanted;
use ir::InstId;
use ir::loops::LoopId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const INFINITE: u64 = u64::MAX / 4;

struct Edge {
    to: usize,
    capacity: u64,
}

#[derive(Default)]
struct Network {
    edges: Vec<Edge>,
    out: Vec<Vec<usize>>,
}

impl Network {
    fn vertex(&mut self) -> usize {
        self.out.push(Vec::new());
        self.out.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize, capacity: u64) {
        self.out[from].push(self.edges.len());
        self.edges.push(Edge { to, capacity });
        self.out[to].push(self.edges.len());
        self.edges.push(Edge { to: from, capacity: 0 });
    }

    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut level = vec![None; self.out.len()];
        level[source] = Some(0);
        let mut queue = VecDeque::from([source]);
        while let Some(v) = queue.pop_front() {
            for e in &self.out[v] {
                let edge = &self.edges[*e];
                if edge.capacity > 0 && level[edge.to].is_none() {
                    level[edge.to] = level[v].map(|l| l + 1);
                    queue.push_back(edge.to);
                }
            }
        }
        level
    }

    /// Saturates the network (blocking flows along shortest paths, with an explicit stack).
    fn saturate(&mut self, source: usize, sink: usize) {
        loop {
            let level = self.levels(source);
            if level[sink].is_none() {
                return;
            }
            let mut next = vec![0; self.out.len()];
            let mut path: Vec<usize> = Vec::new();
            let mut at = source;
            loop {
                if at == sink {
                    let flow = path.iter().map(|e| self.edges[*e].capacity).min().unwrap_or(0);
                    for e in &path {
                        self.edges[*e].capacity -= flow;
                        self.edges[*e ^ 1].capacity += flow;
                    }
                    path.clear();
                    at = source;
                    continue;
                }
                match self.out[at].get(next[at]).copied() {
                    Some(e) if self.edges[e].capacity > 0 && level[self.edges[e].to] == level[at].map(|l| l + 1) => {
                        path.push(e);
                        at = self.edges[e].to;
                    }
                    Some(_) => next[at] += 1,
                    None if at == source => break,
                    None => {
                        let Some(e) = path.pop() else { break };
                        at = self.edges[e ^ 1].to;
                        next[at] += 1;
                    }
                }
            }
        }
    }

    /// Vertices that can still reach the sink.
    fn reaching(&self, sink: usize) -> Vec<bool> {
        let mut seen = vec![false; self.out.len()];
        seen[sink] = true;
        let mut work = vec![sink];
        while let Some(v) = work.pop() {
            for e in &self.out[v] {
                let from = self.edges[*e].to;
                if self.edges[*e ^ 1].capacity > 0 && !seen[from] {
                    seen[from] = true;
                    work.push(from);
                }
            }
        }
        seen
    }
}

/// How a value can be had.
#[derive(Debug)]
enum Source<K> {
    /// It is at hand.
    Free,
    /// It must be stored.
    Store,
    /// From others; and by a run, which costs its price once.
    From(Vec<K>, Option<usize>),
}

/// Values with what storing them costs and how else they can be had, and the price of each run.
#[derive(Debug)]
struct Choice<K> {
    values: BTreeMap<K, (u64, Source<K>)>,
    runs: Vec<u64>,
}

impl<K: Copy + Ord> Choice<K> {
    /// The cheapest set of values that, stored, gives all of `needed`.
    fn minimum(&self, needed: &BTreeSet<K>) -> BTreeSet<K> {
        let mut net = Network::default();
        let (source, sink) = (net.vertex(), net.vertex());
        let mut halves: BTreeMap<K, (usize, usize)> = BTreeMap::new();
        for (value, (weight, _)) in &self.values {
            let pair = (net.vertex(), net.vertex());
            net.connect(pair.0, pair.1, *weight);
            halves.insert(*value, pair);
        }
        let mut runs: BTreeMap<usize, usize> = BTreeMap::new();
        for (value, (inner, outer)) in &halves {
            if needed.contains(value) {
                net.connect(*outer, sink, INFINITE);
            }
            match &self.values[value].1 {
                Source::Free => {}
                Source::Store => net.connect(source, *inner, INFINITE),
                Source::From(operands, run) => {
                    for operand in operands {
                        net.connect(halves[operand].1, *inner, INFINITE);
                    }
                    if let Some(run) = run {
                        let vertex = *runs.entry(*run).or_insert_with(|| {
                            let vertex = net.vertex();
                            net.connect(source, vertex, self.runs[*run]);
                            vertex
                        });
                        net.connect(vertex, *inner, INFINITE);
                    }
                }
            }
        }
        net.saturate(source, sink);
        let reaching = net.reaching(sink);
        halves.iter().filter(|(_, (inner, outer))| !reaching[*inner] && reaching[*outer]).map(|(k, _)| *k).collect()
    }
}

/// The cheapest set of values that, stored, gives all of `needed`.
pub fn minimum(recompute: &mut Recompute, needed: &BTreeSet<Wanted>) -> BTreeSet<Wanted> {
    let mut recipes: BTreeMap<Wanted, Recipe> = BTreeMap::new();
    let mut work: Vec<Wanted> = needed.iter().copied().collect();
    while let Some(wanted) = work.pop() {
        if recipes.contains_key(&wanted) {
            continue;
        }
        let recipe = recompute.recipe(wanted);
        if let Recipe::Again(_, operands) | Recipe::Count(_, operands) | Recipe::Replay(_, operands) = &recipe {
            work.extend(operands);
        }
        recipes.insert(wanted, recipe);
    }
    let mut choice = Choice { values: BTreeMap::new(), runs: Vec::new() };
    let mut known: BTreeMap<(LoopId, BTreeSet<InstId>), usize> = BTreeMap::new();
    for (wanted, recipe) in recipes {
        let source = match recipe {
            Recipe::Free => Source::Free,
            Recipe::Store => Source::Store,
            Recipe::Again(_, operands) | Recipe::Count(_, operands) => Source::From(operands, None),
            Recipe::Replay(_, operands) => {
                let priced = wanted.region.and_then(|of| recompute.price(wanted).map(|found| (of, found)));
                let run = priced.map(|(of, (slice, price))| {
                    *known.entry((of, slice.insts.clone())).or_insert_with(|| {
                        choice.runs.push(price);
                        choice.runs.len() - 1
                    })
                });
                Source::From(operands, run)
            }
        };
        choice.values.insert(wanted, (recompute.weight(wanted), source));
    }
    choice.minimum(needed)
}

#[cfg(test)]
mod tests;
