//! Nothing is lost between LLVM and `ir`: read, print, read and print again give the same text, and LLVM takes the
//! reprinted module for the original, to the last flag, attribute and metadata node. And two other readings agree with
//! ours: LLVM's own library on every instruction ([`second_reader`]), petgraph on the dominators of every block. Each
//! program is looked at as one level leaves it, in turn; as all of them do with `ADJ_LEVELS=full`.

mod second_reader;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ir::BlockId;
use ir::cfg::Cfg;
use ir::dom::DomTree;
use llvm::read::parse;
use llvm::{CompileOptions, Error, Input, Level, canonical_text, compile, verify_text};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use second_reader::Tally;

/// One module to send around.
struct Case {
    input: PathBuf,
    options: CompileOptions,
}

/// What went wrong, if anything did.
fn round_trip(case: &Case, tally: &mut Tally) -> Result<(), String> {
    let file = case.input.display().to_string();
    let at = format!("{file} at {}", case.options.level);
    let fail = |step: &str, error: Error| format!("{at}: {step}: {error}");
    let original = compile(&Input::File(case.input.clone()), &case.options).map_err(|e| fail("compile", e))?.text;
    let module = parse(&original, &file).map_err(|error| fail("read", error))?;
    second_reader::compare(&original, &module, tally).map_err(|difference| format!("{at}: {difference}"))?;
    same_dominators(&module).map_err(|difference| format!("{at}: {difference}"))?;
    let first = module.to_string();
    let again = parse(&first, &file).map_err(|error| fail("read again", error))?;
    same(&at, "second print", &first, &again.to_string())?;
    let reprinted = canonical_text(first.as_bytes()).map_err(|error| fail("LLVM reads the print", error))?;
    let original = canonical_text(original.as_bytes()).map_err(|error| fail("LLVM reads the original", error))?;
    same(&at, "LLVM's view", &original, &reprinted)
}

/// Do all functions have the dominators that petgraph finds?
fn same_dominators(module: &ir::Module) -> Result<(), String> {
    for function in module.functions.values().filter(|f| !f.is_declaration()) {
        let cfg = Cfg::new(function);
        let dom = DomTree::new(function, &cfg);
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: HashMap<BlockId, NodeIndex> = function.layout.iter().map(|b| (*b, graph.add_node(()))).collect();
        for block in &function.layout {
            graph.extend_with_edges(function.successors(*block).iter().map(|to| (nodes[block], nodes[to])));
        }
        let theirs = simple_fast(&graph, nodes[&function.entry()]);
        for block in &function.layout {
            let parent = theirs.immediate_dominator(nodes[block]).map(|n| function.layout[n.index()]);
            if dom.idom(*block) != parent {
                return Err(format!("{}: {block:?} is below {:?}, not {parent:?}", function.name, dom.idom(*block)));
            }
        }
    }
    Ok(())
}

/// The first line in which two texts differ.
fn same(at: &str, what: &str, expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    let (number, (left, right)) = lines.find(|(_, (left, right))| left != right).unwrap_or((0, ("shorter", "longer")));
    Err(format!("{at}: {what} differs in line {}\n  expected {left}\n  actual   {right}", number + 1))
}

/// Runs all cases on all cores, and reports every failure; what was compared with the second reading.
fn check(cases: &[Case]) -> Tally {
    let (next, failures, tally) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(Tally::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut compared = Tally::default();
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = round_trip(case, &mut compared) {
                        failures.lock().unwrap().push(failure);
                    }
                }
                tally.lock().unwrap().add(&compared);
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(!cases.is_empty());
    let tally = tally.into_inner().unwrap();
    println!("{tally:#?}");
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
    tally
}

#[test]
fn every_program_of_the_corpus() {
    let full = std::env::var("ADJ_LEVELS").is_ok_and(|value| value == "full");
    let mut cases = Vec::new();
    for (number, program) in corpus::programs().iter().enumerate() {
        if program.kind == corpus::Kind::Bad {
            continue;
        }
        for (turn, level) in Level::ALL.into_iter().enumerate() {
            if !full && turn != number % Level::ALL.len() {
                continue;
            }
            let options = CompileOptions {
                include_dirs: vec![corpus::include_dir()],
                flags: program.flags.clone(),
                ..CompileOptions::at(level)
            };
            cases.push(Case { input: program.path.clone(), options });
        }
    }
    let tally = check(&cases);
    // What is refused is compared with nothing.
    assert!(tally.modules * 100 >= cases.len() * 95, "{} of {}: {:?}", tally.modules, cases.len(), tally.refused);
}

#[test]
fn modules_of_every_construct() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        // IR is the same at every level.
        for options in Level::ALL.map(CompileOptions::at) {
            cases.push(Case { input: entry.as_ref().unwrap().path(), options });
        }
    }
    check(&cases);
}

/// Valid IR that is not modelled: LLVM accepts it, and the reader names it and its place.
#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let cases: &[(&str, &str, u32)] = &[
        ("module asm \"nop\"\n", "assembly", 1),
        ("define void @f(i256 %x) {\n  ret void\n}\n", "i256", 1),
        (
            "define <vscale x 2 x double> @f(<vscale x 2 x double> %x) {\n  ret <vscale x 2 x double> %x\n}\n",
            "scalable",
            1,
        ),
        ("@r = ifunc void (), ptr @f\ndefine ptr @f() {\n  ret ptr null\n}\n", "ifunc", 1),
        (
            "define target(\"spirv.Image\") @f(target(\"spirv.Image\") %x) {\n  ret target(\"spirv.Image\") %x\n}\n",
            "target",
            1,
        ),
        (
            "define void @f() {\n  callbr void asm \"\", \"!i\"()\n          to label %a [label %b]\na:\n  ret void\nb:\n  ret void\n}\n",
            "callbr",
            2,
        ),
    ];
    for (text, name, line) in cases {
        verify_text(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Not through LLVM, which adds header lines: the numbers below are those of the text above.
        let error = parse(text, "prog.ll").map(|_| ()).unwrap_err();
        let Error::Unsupported { refusal, excerpt, .. } = &error else { panic!("{name}: {error}") };
        assert!(refusal.message.to_lowercase().contains(name), "{name}: {error}");
        assert_eq!(refusal.line, *line, "{name}: {error}");
        assert_eq!(text.lines().nth(*line as usize - 1).unwrap().trim(), excerpt);
        assert!(error.is_limit() && error.to_string().starts_with("prog.ll: unsupported: "), "{error}");
    }
}

/// A refusal within a function names it, and the line of the user's source.
#[test]
fn a_refusal_leads_to_the_source_line() {
    let program = "double f(double x) {\n  double y = x;\n  return (double)(unsigned _BitInt(200))y;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.c");
    std::fs::write(&path, program).unwrap();
    for level in Level::ALL {
        let error = llvm::read_file(&path, &CompileOptions::at(level)).map(|_| ()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("wide.c:3:") && message.contains("`f`"), "{level}: {message}");
    }
}

/// Passes over a module of the arenas: what comes back is the optimised module.
#[test]
fn a_module_is_optimised() {
    let program = "double f(double x) { double y = x * x; return y; }\n";
    let input = Input::Bytes { name: "prog.c".into(), language: llvm::Language::C, bytes: program.into() };
    let module = llvm::read(&input, &CompileOptions::at(Level::O0)).unwrap();
    assert!(module.to_string().contains("alloca"));
    let optimised = llvm::read::optimise(&module, "function(sroa)").unwrap();
    assert!(optimised.to_string().contains("fmul double %x, %x") && !optimised.to_string().contains("alloca"));
    assert_eq!(optimised.id, "prog.c");
    let error = llvm::read::optimise(&module, "function(none)").map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Pipeline { .. }), "{error}");
}
