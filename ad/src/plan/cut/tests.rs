//! The cut against the definition, over all sets that could be stored, and against petgraph's maximum flow.

use super::{Choice, INFINITE, Network, Source};
use petgraph::algo::maximum_flow::ford_fulkerson;
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A network of few vertices: the capacity of each edge.
fn networks() -> impl Strategy<Value = (usize, Vec<(usize, usize, u64)>)> {
    (2..8_usize).prop_flat_map(|vertices| {
        let capacity = prop_oneof![8 => 0..12_u64, 1 => Just(1_u64 << 40)];
        (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, capacity), 0..24))
    })
}

/// What crosses from outside of a set into it.
fn crossing(edges: &[(usize, usize, u64)], inside: &dyn Fn(usize) -> bool) -> u64 {
    edges.iter().filter(|(from, to, _)| !inside(*from) && inside(*to)).map(|(.., capacity)| capacity).sum()
}

/// Values that are had from those before them, runs with prices, and what is needed.
fn choices() -> impl Strategy<Value = (Choice<usize>, BTreeSet<usize>)> {
    let kinds = || prop::collection::vec((0..12_u64, 0..8_u8, any::<u8>(), prop::option::of(0..2_usize)), 1..9);
    let runs = prop::collection::vec(0..15_u64, 2);
    (kinds(), runs, any::<u16>()).prop_map(|(kinds, runs, needed)| {
        let value = |(at, (weight, kind, operands, run)): (usize, &(u64, u8, u8, Option<usize>))| {
            let before: Vec<usize> = (0..at).filter(|o| operands >> o & 1 == 1).collect();
            let source = match kind {
                0 => Source::Free,
                1 | 2 => Source::Store,
                // Without operands and a run there is nothing to have it from.
                _ if before.is_empty() && run.is_none() => Source::Store,
                _ => Source::From(before, *run),
            };
            (at, (*weight, source))
        };
        let values: BTreeMap<_, _> = kinds.iter().enumerate().map(value).collect();
        let needed = (0..values.len()).filter(|at| needed >> at & 1 == 1).collect();
        (Choice { values, runs }, needed)
    })
}

impl Choice<usize> {
    /// Is everything needed to be had, with these stored and these runs paid for?
    fn gives(&self, needed: &BTreeSet<usize>, stored: &BTreeSet<usize>, paid: usize) -> bool {
        let mut had = BTreeSet::new();
        // Operands come before what is made of them.
        for (value, (_, source)) in &self.values {
            let made = match source {
                Source::Free => true,
                Source::Store => false,
                Source::From(operands, run) => {
                    operands.iter().all(|o| had.contains(o)) && run.is_none_or(|run| paid >> run & 1 == 1)
                }
            };
            if made || stored.contains(value) {
                had.insert(*value);
            }
        }
        needed.is_subset(&had)
    }

    /// What it costs at least if these are stored; none if that does not give what is needed.
    fn cost(&self, needed: &BTreeSet<usize>, stored: &BTreeSet<usize>) -> Option<u64> {
        let weights: u64 = stored.iter().map(|value| self.values[value].0).sum();
        let paid = (0..1_usize << self.runs.len()).filter(|paid| self.gives(needed, stored, *paid));
        let price = |paid: usize| -> u64 {
            let runs = (0..self.runs.len()).filter(|run| paid >> run & 1 == 1);
            runs.map(|run| self.runs[run]).sum()
        };
        paid.map(|paid| price(paid) + weights).min()
    }

    /// The maximum flow through the same vertices, split in two, as petgraph finds it.
    fn flow(&self, needed: &BTreeSet<usize>) -> u64 {
        let mut graph: DiGraph<(), u64> = DiGraph::new();
        let (source, sink) = (graph.add_node(()), graph.add_node(()));
        let runs: Vec<NodeIndex> = self.runs.iter().map(|_| graph.add_node(())).collect();
        for (run, price) in runs.iter().zip(&self.runs) {
            graph.add_edge(source, *run, *price);
        }
        let mut halves = Vec::new();
        for (value, (weight, from)) in &self.values {
            let (inner, outer) = (graph.add_node(()), graph.add_node(()));
            halves.push((inner, outer));
            graph.add_edge(inner, outer, *weight);
            if needed.contains(value) {
                graph.add_edge(outer, sink, INFINITE);
            }
            match from {
                Source::Free => {}
                Source::Store => {
                    graph.add_edge(source, inner, INFINITE);
                }
                Source::From(operands, run) => {
                    let before = operands.iter().map(|o| halves[*o].1).chain(run.map(|run| runs[run]));
                    graph.extend_with_edges(before.map(|from| (from, inner, INFINITE)));
                }
            }
        }
        ford_fulkerson(&graph, source, sink).0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Flow and cut have the value that petgraph finds and no cut is below; of the least cuts it is the one nearest to
    /// the sink.
    #[test]
    fn a_saturated_network_shows_the_least_cut((vertices, edges) in networks()) {
        let mut net = Network::default();
        for _ in 0..vertices {
            net.vertex();
        }
        edges.iter().for_each(|(from, to, capacity)| net.connect(*from, *to, *capacity));
        let (source, sink) = (0, vertices - 1);
        net.saturate(source, sink);
        let reaching = net.reaching(sink);
        let cut = crossing(&edges, &|v| reaching[v]);
        prop_assert!(!reaching[source]);
        let mut graph: DiGraph<(), u64> = DiGraph::new();
        let nodes: Vec<NodeIndex> = (0..vertices).map(|_| graph.add_node(())).collect();
        for (from, to, capacity) in &edges {
            graph.add_edge(nodes[*from], nodes[*to], *capacity);
        }
        prop_assert_eq!(cut, ford_fulkerson(&graph, nodes[source], nodes[sink]).0);
        for set in (0..1_usize << vertices).filter(|set| set >> source & 1 == 0 && set >> sink & 1 == 1) {
            let value = crossing(&edges, &|v| set >> v & 1 == 1);
            prop_assert!(value >= cut, "{:b} has {}", set, value);
            let around = (0..vertices).all(|v| !reaching[v] || set >> v & 1 == 1);
            prop_assert!(value > cut || around, "{:b} is nearer to the sink", set);
        }
    }

    /// What is stored gives what is needed, at the least cost of all sets, which is petgraph's maximum flow.
    #[test]
    fn what_is_stored_costs_least((choice, needed) in choices()) {
        let stored = choice.minimum(&needed);
        let cost = choice.cost(&needed, &stored);
        let every = (0..1_usize << choice.values.len())
            .map(|set| (0..choice.values.len()).filter(|v| set >> v & 1 == 1).collect::<BTreeSet<_>>());
        let least = every.filter_map(|set| choice.cost(&needed, &set)).min();
        prop_assert_eq!(cost, least, "{:?} is stored", stored);
        prop_assert_eq!(cost, Some(choice.flow(&needed)));
    }
}
