//! Each way in a program of its own: it compiles, runs without undefined behaviour, prints the same when interpreted
//! and natively, and is the identity; a gradient that is made loses its rightness with a planted defect.

use crate::c::ast::{Activity, BOUND, Float, Function, Home, Int, Kind, Mode, Place, Program, Stmt, Var, Width};
use crate::c::moved::{How, Member, Move, Moved, Part, Room, Rows, Seen, Words, Zeroed};
use crate::c::print;
use crate::c::stepped::{Between, Decided, Decision, Made, Rounded, Taken, Used};
use crate::c::travel::{Bits, Carried, Chosen, Constant, Link, Read, Sort, Text, Travel, What, Written};
use crate::c::ways::{Kept, Shape, Step};
use crate::check::{self, Options, TestCase};
use adjudicate::Level;
use adjudicate::session::{self, Prepared};
use llvm::native::{LinkOptions, RunLimits};

const WHATS: [What; 3] = [What::Double, What::Single, What::Pointer];

/// Ways whose results are the same, in each list.
fn alike() -> Vec<Vec<Travel>> {
    let mut all = Vec::new();
    for what in WHATS {
        for shape in [Shape::Once, Shape::Each, Shape::Outlined] {
            let with = |steps: Vec<Step>, kept| Travel::Bits(Bits { what, shape, steps, kept });
            let mut ways = vec![with(Vec::new(), Kept::Register)];
            let steps = Step::ALL.iter().map(|(step, _)| with(vec![*step], Kept::Register));
            let places = Kept::MEMORY.iter().chain(&Kept::LIBRARY).map(|(kept, _)| with(Vec::new(), *kept));
            match shape {
                Shape::Once => ways.extend(steps.chain(places)),
                Shape::Each | Shape::Outlined => ways.push(with(vec![Step::Key(77), Step::Swap(true)], Kept::Halves)),
            }
            let every = Step::ALL.iter().map(|(step, _)| *step).collect();
            ways.push(with(every, Kept::Bytes));
            all.push(ways);
        }
    }
    for single in [false, true] {
        let text = |written, carried, read| Travel::Text(Text { single, written, carried, read });
        let mut ways: Vec<Travel> =
            Carried::ALL.iter().map(|(at, _)| text(Written::General, *at, Read::Convert)).collect();
        ways.extend(Written::ALL.iter().map(|(written, _)| text(*written, Carried::Array, Read::Atof)));
        ways.push(text(Written::Scientific, Carried::File, Read::Scan));
        ways.push(text(Written::Fixed, Carried::Static, Read::ByHand));
        all.push(ways);
    }
    all.push(Sort::ALL.iter().map(|(sort, _)| Travel::Sorted(*sort)).collect());
    all.extend(Link::MEMORY.iter().chain(&Link::LIBRARY).map(|(link, _)| vec![Travel::Linked(*link)]));
    all.extend(layouts().iter().flat_map(moved));
    all.extend(stepped());
    for read in [false, true] {
        all.extend(Chosen::ALL.iter().map(|(by, _)| vec![Travel::Constant(Constant { plan: 1, by: *by, read })]));
    }
    all
}

/// A long record, a header before records of which the run tells how many, and two kinds of records with structures in
/// them.
fn layouts() -> Vec<Moved> {
    let part = |member, count| Part { member, count, written: 1, read: 1 };
    let of = |head, body, tail, rows| Moved {
        head,
        body,
        tail,
        rows,
        room: Room::Bytes,
        zeroed: Zeroed::Memset,
        written: Seen::Start,
        moves: Vec::new(),
        read: Seen::Start,
        cleared: None,
        counted: false,
    };
    let numbers = Part { written: 3, read: 5, ..part(Member::Number, 70) };
    let (word, one) = (part(Member::Long, 1), part(Member::Number, 1));
    let long = vec![part(Member::Int, 3), numbers, part(Member::Single, 3), part(Member::Pointer, 2)];
    vec![
        of(Vec::new(), long, Vec::new(), Rows::Fixed(1)),
        of(vec![word], vec![one], Vec::new(), Rows::Run(5)),
        of(vec![part(Member::Byte, 3)], vec![one, word], vec![part(Member::Nested, 2), one], Rows::Run(1)),
    ]
}

/// Ways of one layout: all that move it without clearing it, and all that clear it.
fn moved(layout: &Moved) -> Vec<Vec<Travel>> {
    let with = |change: &dyn Fn(&mut Moved)| {
        let mut it = layout.clone();
        change(&mut it);
        Travel::Moved(Box::new(it))
    };
    let mut all = vec![with(&|_| {})];
    for (room, _) in Room::ALL {
        all.push(with(&|it| it.room = room));
        all.push(with(&|it| {
            it.moves = vec![Move { to: room, how: How::Memcpy }, Move { to: Room::Bytes, how: How::Memcpy }]
        }));
        all.push(with(&|it| (it.room, it.moves) = (room, vec![Move { to: room, how: How::Assigned }])));
    }
    all.extend(Zeroed::ALL.iter().map(|(zeroed, _)| with(&|it| it.zeroed = *zeroed)));
    for (written, _) in Seen::ALL {
        all.extend(Seen::ALL.iter().map(|(read, _)| with(&|it| (it.written, it.read) = (written, *read))));
    }
    let words = Words { reversed: true, steps: vec![Step::Key(77)], kept: Kept::Halves, ..Words::each(3) };
    for how in How::whole().into_iter().chain([How::Words(words)]) {
        all.push(with(&|it| it.moves = vec![Move { to: Room::Heap, how: how.clone() }]));
    }
    let clear = |(zeroed, _): &(Zeroed, &str)| with(&|it| (it.cleared, it.read) = (Some(*zeroed), Seen::End));
    // Integers that become numbers make another sum.
    let to = |how: How| with(&|it| (it.counted, it.moves) = (true, vec![Move { to: Room::Heap, how: how.clone() }]));
    let counted = vec![with(&|it| it.counted = true), to(How::Passed), to(How::Records)];
    vec![all, Zeroed::ALL.iter().map(clear).collect(), counted]
}

/// Rounded numbers wherever the sum is, and decisions of all kinds.
fn stepped() -> Vec<Vec<Travel>> {
    let mut all = Vec::new();
    let start = Rounded {
        single: false,
        plain: false,
        places: 0,
        between: Between::Nothing,
        taken: Taken::Difference,
        used: Used::Factor,
    };
    for (single, plain, places) in [(false, false, 0), (true, false, 3), (true, true, 0), (false, false, 8)] {
        for (used, _) in Used::ALL.iter().take(if single { 1 } else { 3 }) {
            let it = Rounded { single, plain, places, used: *used, ..start };
            let same = Between::ALL.iter().filter(|(at, _)| !matches!(at, Between::Carried | Between::Chosen));
            let mut ways: Vec<Rounded> = same.map(|(between, _)| Rounded { between: *between, ..it }).collect();
            // From the bits come steps of a smaller unit.
            let bits = |it: &Rounded| Rounded { taken: Taken::Bits, ..*it };
            let from_bits: Vec<Rounded> = ways.iter().map(bits).collect();
            let others = [Between::Carried, Between::Chosen].map(|between| Rounded { between, ..it });
            let (mut own, mut more) = (vec![from_bits], others.map(|it| vec![it]).to_vec());
            if *used != Used::Index || places == 0 {
                ways.append(&mut own[0]);
                more.iter_mut().for_each(|group| group.push(bits(&group[0])));
            }
            own.push(ways);
            own.extend(more);
            all.extend(own.into_iter().map(|group| group.into_iter().map(Travel::Rounded).collect()));
        }
    }
    for (used, _) in Used::ALL {
        for search in [false, true] {
            let made = Made::ALL.iter().filter(|(made, _)| (*made == Made::Search) == search);
            let mut group = Vec::new();
            for (made, _) in made {
                let by = Decision::ALL.iter().take(if used == Used::Factor { 4 } else { 1 });
                let it = Decided { count: 32, shape: Shape::Outlined, by: Decision::Branch, made: *made, used };
                group.extend(by.map(|(by, _)| Travel::Decided(Decided { shape: Shape::Once, by: *by, ..it })));
                group.push(Travel::Decided(it));
            }
            all.push(group);
        }
    }
    all.retain(|group| !group.is_empty());
    all
}

/// A function of two numbers and a plan, whose result is the first number after the way.
fn program(travel: &Travel, count: i64) -> Program {
    let var = |kind| Var { kind, home: Home::Param, readonly: false, start: 7 };
    let cell = |at| Place::Elem(0, Int::Const(at));
    let args = vec![Float::Get(cell(0)), Float::Get(cell(1))];
    let body = vec![Stmt::Travel(travel.clone(), cell(0), args, Int::Const(count - 1))];
    let f = Function {
        vars: vec![var(Kind::Array(Width::F64, 2)), var(Kind::Plan)],
        ret: Some(Width::F64),
        body,
        result: Some(Float::Get(cell(0))),
        noinline: false,
        base: None,
    };
    Program {
        structs: Vec::new(),
        functions: vec![f],
        mode: Mode::Reverse,
        activities: vec![Activity::Dup, Activity::Const],
        seeded_shadows: false,
        twice: false,
        packed: false,
    }
}

/// The programs without their gradients: each prints its result for one count after the other.
fn primal(programs: &[Program]) -> String {
    let text = print::batch(&programs.iter().collect::<Vec<_>>());
    let (functions, _) = text.split_once("\nint main(").expect("a batch has a `main`");
    let calls: String = (0..programs.len())
        .map(|i| {
            format!(
                "  {{ double a[2] = {{0.7125, -0.4}}, w[4] = {{0.1, 0.2, 0.3, 0.4}};\n    \
                 struct plan g = {{w, {{0.5, -0.25, 0.75}}, 2}};\n    printf(\"%.17g\\n\", f_{i}(a, &g)); }}\n"
            )
        })
        .collect();
    format!("#include <stdio.h>\n{functions}\nint main(void) {{\n{calls}  return 0;\n}}\n")
}

#[test]
fn every_way_is_the_identity_and_without_undefined_behaviour() {
    // A compiler takes more than twice as long for twice as many.
    alike().chunks(24).for_each(are_identities);
}

fn are_identities(groups: &[Vec<Travel>]) {
    let programs: Vec<Program> =
        groups.iter().flatten().flat_map(|way| [1, 2, 4].map(|count| program(way, count))).collect();
    let source = primal(&programs);
    for level in [Level::O0, Level::O2] {
        let options = Options { debug: false, ..Options::default() };
        let module = match check::compiled(&source, level, &options) {
            Ok(module) => module,
            Err(check::Trouble::Refused(why)) => panic!("{why}"),
            Err(check::Trouble::Found(finding)) => panic!("{}", finding.report),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let binary = folder.path().join("ways");
        let text = module.to_string();
        llvm::native::build_executable(text.as_bytes(), &binary, &LinkOptions::default()).expect("the ways link");
        let native = llvm::native::run(&binary, &[], &[], &RunLimits::default()).expect("the ways run");
        let native = String::from_utf8_lossy(&native.stdout).into_owned();
        let session = session::Options::default();
        let report = Prepared::new(module, &session).run(level.name(), "ways", &session, &|_| {});
        for finding in report.findings() {
            // What the interpreter does not know, the native run has to do.
            let unknown = finding.verdict == adjudicate::Verdict::Unsupported;
            assert!(unknown, "{level}: {}: {}", finding.verdict, finding.message);
        }
        let interpreted: Vec<&str> = report.stdout.lines().collect();
        let lines: Vec<&str> = native.lines().collect();
        assert_eq!(lines.len(), programs.len(), "{level}: {native}");
        assert_eq!(interpreted, lines[..interpreted.len()], "{level}");
        let results: Vec<f64> = lines.iter().map(|line| line.parse().expect("a number")).collect();
        let mut at = 0;
        for group in groups {
            for (index, way) in group.iter().enumerate() {
                for count in 0..3 {
                    let (first, this) = (results[at + count], results[at + 3 * index + count]);
                    // Text of 15 places rounds.
                    assert!((first - this).abs() < 1e-14, "{level}: {way:?} gives {this}, {:?} {first}", group[0]);
                    assert!(this.abs() <= BOUND / 2.0, "{level}: {way:?} gives {this}");
                }
            }
            at += 3 * group.len();
        }
    }
}

#[test]
fn what_is_differentiated_shows_a_planted_defect() {
    let ways: Vec<Travel> = alike().into_iter().flatten().collect();
    let cases: Vec<TestCase> = ways.iter().map(|way| TestCase { seed: 0, program: program(way, 2) }).collect();
    let sound = Options { levels: vec![Level::O0], native: false, debug: false, reprint: false, ..Options::default() };
    let faulty = Options { fault: Some(ad::Fault::DoubleAdd), ..sound.clone() };
    let (mut judged, mut unnoticed) = (0, Vec::new());
    for chunk in cases.chunks(16) {
        let (right, wrong) = (check::check_batch(chunk, &sound), check::check_batch(chunk, &faulty));
        for ((case, right), wrong) in chunk.iter().zip(right).zip(wrong) {
            if right.judged > 0 && right.findings.is_empty() {
                judged += 1;
                // A number that lost its lanes may be too coarse for differences to decide, but it is not called right.
                if wrong.judged > 0 && wrong.findings.is_empty() {
                    unnoticed.push(case.source());
                }
            }
        }
    }
    assert!(judged * 3 > cases.len(), "{judged} of {} are differentiated", cases.len());
    assert!(unnoticed.is_empty(), "{} of {judged}: {}", unnoticed.len(), unnoticed[0]);
}
