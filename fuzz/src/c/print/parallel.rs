//! Parallel regions.

use super::Printer;
use crate::c::ast::parallel::{
    Copied, Guard, How, Once, Phase, Piece, Reduction, Region, Role, Schedule, Shared, Work,
};
use crate::c::ast::{BOUND, Float, Home, Kind, Place, Stmt, Update, Width};
use crate::c::ways::VarId;

/// What iterations add to a number of which the smallest is sought, so that no two are equal.
const STEP: f64 = 0.0137;

/// The reduction that a program declares.
const JOINED: &str = "#pragma omp declare reduction(joined : double, float, long double : omp_out += omp_in) \
                      initializer(omp_priv = 0)";

impl Printer<'_> {
    pub(super) fn region(&mut self, region: &Region) {
        let (loops, live) = (std::mem::take(&mut self.loops), std::mem::take(&mut self.live));
        let counters = std::mem::take(&mut self.counters);
        let team = std::mem::replace(&mut self.team, true);
        let guards = self.new_guards(region);
        self.clauses_and_phases(region);
        self.drop_guards(guards);
        (self.loops, self.live, self.counters, self.team) = (loops, live, counters, team);
    }

    fn clauses_and_phases(&mut self, region: &Region) {
        let mut clauses = String::new();
        if let Some(n) = region.threads {
            clauses.push_str(&format!(" num_threads({n})"));
        }
        if let Some(condition) = &region.condition {
            clauses.push_str(&format!(" if ({})", self.cond(condition)));
        }
        for (v, copied) in &region.copies {
            let clause = match copied {
                Copied::Fresh(_) => "private",
                Copied::First => "firstprivate",
                Copied::In => "copyin",
            };
            clauses.push_str(&format!(" {clause}({})", self.name(*v)));
        }
        if let ([Phase { work: Work::Loop(it), .. }], true) = (region.phases.as_slice(), region.copies.is_empty())
            && matches!(it.how, How::For(_) | How::Simd)
        {
            return self.shared(it, "omp parallel for", &clauses);
        }
        self.line(&format!("#pragma omp parallel{clauses}"));
        self.line("{");
        self.depth += 1;
        for (v, copied) in &region.copies {
            if let Copied::Fresh(start) = copied {
                self.fresh(*v, start);
            }
        }
        // The first phase may write what these numbers are made of.
        let fresh = |(_, copied): &(VarId, Copied)| matches!(copied, Copied::Fresh(_));
        if region.copies.iter().any(fresh) && !region.phases.is_empty() {
            self.line("#pragma omp barrier");
        }
        let last = region.phases.len().saturating_sub(1);
        for (n, phase) in region.phases.iter().enumerate() {
            self.phase(phase, n == last);
        }
        self.depth -= 1;
        self.line("}");
    }

    /// A copy of a thread gets its number.
    fn fresh(&mut self, v: VarId, start: &Float) {
        let name = self.name(v);
        match self.f.vars[v].kind {
            Kind::Array(width, len) => {
                let start = self.bounded(start, width, BOUND / 2.0);
                self.line(&format!("for (int z = 0; z < {len}; z++) {name}[z] = {start};"));
            }
            Kind::Float(width) => {
                let start = self.bounded(start, width, BOUND / 2.0);
                self.line(&format!("{name} = {start};"));
            }
            _ => {}
        }
    }

    fn phase(&mut self, phase: &Phase, last: bool) {
        let nowait = if phase.nowait { " nowait" } else { "" };
        // Whether the construct itself has a barrier behind it.
        let waits = match &phase.work {
            Work::Loop(it) => match it.how {
                How::For(_) | How::Simd => {
                    self.shared(it, "omp for", nowait);
                    true
                }
                How::Strided => {
                    self.shared(it, "", "");
                    false
                }
                How::Tasks | How::TaskLoop => {
                    self.line(&format!("#pragma omp single{nowait}"));
                    self.braces(|p| p.shared(it, "", ""));
                    true
                }
            },
            Work::Pieces(tasks, pieces) => {
                let head = if *tasks { "#pragma omp single" } else { "#pragma omp sections" };
                self.line(&format!("{head}{nowait}"));
                self.braces(|p| pieces.iter().for_each(|piece| p.piece(*tasks, piece)));
                true
            }
            Work::Once(once, body) => {
                let name = match once {
                    Once::Single => "single",
                    Once::Master => "master",
                    Once::Masked => "masked",
                };
                self.line(&format!("#pragma omp {name}"));
                self.braces(|p| p.stmts(body));
                *once == Once::Single
            }
            Work::All(body) => {
                self.stmts(body);
                false
            }
        };
        if !waits && !last && !phase.nowait {
            self.line("#pragma omp barrier");
        }
    }

    fn braces(&mut self, inner: impl FnOnce(&mut Self)) {
        self.line("{");
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.line("}");
    }

    fn piece(&mut self, tasks: bool, piece: &Piece) {
        let mut clauses = String::new();
        for (v, writes) in &piece.depends {
            let way = if *writes { "inout" } else { "in" };
            clauses.push_str(&format!(" depend({way} : {})", self.name(*v)));
        }
        // What a thread has a copy of would be copied for a task, too.
        let own: Vec<String> = piece.own.iter().map(|v| self.name(*v)).collect();
        if tasks && !own.is_empty() {
            clauses.push_str(&format!(" shared({})", own.join(", ")));
        }
        let head = if tasks { format!("#pragma omp task{clauses}") } else { "#pragma omp section".to_owned() };
        self.line(&head);
        self.braces(|p| p.stmts(&piece.body));
    }

    /// A loop that is shared out, by this directive.
    fn shared(&mut self, it: &Shared, directive: &str, more: &str) {
        let last = |p: &Self, v: VarId| if let Kind::Int(_, last) = p.f.vars[v].kind { last } else { 0 };
        let most: Vec<i64> = it.counters.iter().map(|v| last(self, *v) + 1).collect();
        let Some(first) = most.first() else { return };
        let trips = it.trips.as_ref().map_or_else(|| first.to_string(), |trips| self.within(trips, 0, *first));
        let clauses = self.role_clauses(it);
        let (simd, schedule) = match it.how {
            How::Simd => (" simd", String::new()),
            How::For(schedule) => ("", self.schedule(schedule)),
            _ => ("", String::new()),
        };
        // LLVM's runtime loses the last value now and then where threads take chunks from each other.
        let last = clauses.contains(" lastprivate(");
        let stolen = ["dynamic", "guided", "runtime"].iter().any(|name| schedule.contains(name));
        let schedule = if last && stolen { schedule.replace("schedule(", "schedule(monotonic : ") } else { schedule };
        let collapse = if most.len() > 1 { format!(" collapse({})", most.len()) } else { String::new() };
        let names: Vec<String> = it.counters.iter().map(|v| self.name(*v)).collect();
        match it.how {
            How::For(_) | How::Simd => {
                let line = format!("#pragma {directive}{simd}{schedule}{collapse}{clauses}{more}");
                self.line(&line);
            }
            How::TaskLoop => self.line(&format!("#pragma omp taskloop{collapse}{clauses}")),
            How::Strided | How::Tasks => {}
        }
        let start = if it.how == How::Strided { "omp_get_thread_num()" } else { "0" };
        let step = |name: &str| match it.how {
            How::Strided => format!("{name} += omp_get_num_threads()"),
            _ => format!("{name}++"),
        };
        let weight = self.weight;
        for (n, name) in names.iter().enumerate() {
            let (start, trips) = if n == 0 { (start, trips.clone()) } else { ("0", most[n].to_string()) };
            let step = if n == 0 { step(name) } else { format!("{name}++") };
            let brace = if n + 1 == names.len() && it.how != How::Tasks { " {" } else { "" };
            self.line(&format!("for (int {name} = {start}; {name} < {trips}; {step}){brace}"));
            self.weight *= most[n].max(1) as f64;
        }
        if it.how == How::Tasks {
            self.line(&format!("#pragma omp task{clauses}"));
            self.line("{");
        }
        self.depth += 1;
        self.counters = it.counters.clone();
        for (v, role) in &it.roles {
            if let Role::Private(start) | Role::Last(start) = role {
                self.fresh(*v, start);
            }
        }
        self.stmts(&it.body);
        self.depth -= 1;
        self.line("}");
        self.weight = weight;
    }

    fn schedule(&mut self, schedule: Schedule) -> String {
        let (name, chunk) = match schedule {
            Schedule::None => return String::new(),
            Schedule::Static(chunk) => ("static", chunk),
            Schedule::Dynamic(chunk) => ("dynamic", chunk),
            Schedule::Guided(chunk) => ("guided", chunk),
            Schedule::Auto => ("auto", 0),
            Schedule::Runtime => ("runtime", 0),
        };
        if chunk > 0 { format!(" schedule({name}, {chunk})") } else { format!(" schedule({name})") }
    }

    fn role_clauses(&mut self, it: &Shared) -> String {
        let mut clauses = String::new();
        for (v, role) in &it.roles {
            let name = self.name(*v);
            match role {
                Role::Private(_) => clauses.push_str(&format!(" private({name})")),
                Role::First if it.how != How::Strided => clauses.push_str(&format!(" firstprivate({name})")),
                Role::Last(_) => clauses.push_str(&format!(" lastprivate({name})")),
                Role::Reduced(reduction) => {
                    if *reduction == Reduction::Declared {
                        self.prototypes.insert(JOINED.to_owned());
                    }
                    let section = match self.f.vars[*v].kind {
                        Kind::Array(_, n) => format!("[:{n}]"),
                        _ => String::new(),
                    };
                    clauses.push_str(&format!(" reduction({} : {name}{section})", reduction.c()));
                }
                // What a thread has a copy of would be copied for a task, too.
                Role::Own(_) | Role::Atomic(_) | Role::Guarded(..) if it.how == How::Tasks => {
                    clauses.push_str(&format!(" shared({name})"));
                }
                Role::First | Role::Own(_) | Role::Atomic(_) | Role::Guarded(..) | Role::Ordered => {}
            }
        }
        if it.roles.iter().any(|(_, role)| *role == Role::Ordered) {
            clauses.push_str(" ordered");
        }
        clauses
    }

    /// Declares what excludes others in a region; both are there at most once for each region.
    fn new_guards(&mut self, region: &Region) -> (bool, bool) {
        let uses = |guard: Guard| {
            region.phases.iter().any(|phase| match &phase.work {
                Work::Loop(it) => {
                    it.roles.iter().any(|(_, role)| matches!(role, Role::Guarded(own, _) if *own == guard))
                        || guarded(&it.body, guard)
                }
                Work::Once(_, body) | Work::All(body) => guarded(body, guard),
                Work::Pieces(_, pieces) => pieces.iter().any(|piece| guarded(&piece.body, guard)),
            })
        };
        let all = (uses(Guard::Lock), uses(Guard::Mutex));
        if all.0 || all.1 {
            self.line("{");
            self.depth += 1;
        }
        if all.0 {
            self.line("omp_lock_t lock;");
            self.line("omp_init_lock(&lock);");
        }
        if all.1 {
            self.line("pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;");
        }
        all
    }

    fn drop_guards(&mut self, (lock, mutex): (bool, bool)) {
        if lock {
            self.line("omp_destroy_lock(&lock);");
        }
        if lock || mutex {
            self.depth -= 1;
            self.line("}");
        }
    }

    pub(super) fn guarded(&mut self, guard: Guard, body: &[Stmt]) {
        if !self.team {
            return self.stmts(body);
        }
        match guard {
            Guard::Critical => self.line("#pragma omp critical"),
            Guard::Named => self.line("#pragma omp critical(own)"),
            Guard::Ordered => self.line("#pragma omp ordered"),
            Guard::Lock | Guard::Mutex => {
                let of = if guard == Guard::Lock {
                    ("omp_set_lock", "omp_unset_lock", "lock")
                } else {
                    ("pthread_mutex_lock", "pthread_mutex_unlock", "mutex")
                };
                self.line(&format!("{}(&{});", of.0, of.2));
                self.stmts(body);
                return self.line(&format!("{}(&{});", of.1, of.2));
            }
        }
        self.braces(|p| p.stmts(body));
    }

    pub(super) fn atomic(&mut self, to: &Place, update: Update, value: &Float) {
        if self.team {
            self.line("#pragma omp atomic");
        }
        self.stmt(&Stmt::Assign(to.clone(), update, value.clone()));
    }

    /// The smaller or the larger one; no two iterations bring the same.
    pub(super) fn extreme(&mut self, to: &Place, smaller: bool, value: &Float, width: Width) {
        let value = self.bounded(value, width, BOUND / 2.0 - 0.5);
        let steps: Vec<String> = self
            .counters
            .clone()
            .iter()
            .enumerate()
            .map(|(n, v)| {
                let step = super::constant(STEP * [1.0, 0.31][n.min(1)], width);
                format!(" + {step} * {}", self.name(*v))
            })
            .collect();
        let (to, op) = (self.place(to), if smaller { '<' } else { '>' });
        self.line(&format!("{{ {} t = {value}{}; if (t {op} {to}) {to} = t; }}", width.c(), steps.concat()));
    }

    /// Declarations of the arrays of which each thread has one.
    pub(super) fn thread_arrays(&mut self) -> String {
        let mut out = String::new();
        for v in self.used.clone() {
            if let (Kind::Array(w, n), Home::Thread) = (self.f.vars[v].kind, self.f.vars[v].home) {
                let start = super::numbers(w, n, self.f.vars[v].start);
                let name = self.name(v);
                out.push_str(&format!("static {} {name}[{n}] = {start};\n#pragma omp threadprivate({name})\n", w.c()));
            }
        }
        out
    }
}

/// Do these statements have sections of such a guard, but in regions of their own?
fn guarded(body: &[Stmt], guard: Guard) -> bool {
    body.iter().any(|it| match it {
        Stmt::Guarded(own, _) => *own == guard,
        Stmt::Region(_) => false,
        other => other.parts().into_iter().any(|part| guarded(part, guard)),
    })
}
