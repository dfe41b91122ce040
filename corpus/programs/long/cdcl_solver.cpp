// A SAT solver: DIMACS input, two watched literals, first-UIP clause learning, activity-ordered decisions with a heap, phase saving, Luby
// restarts and clause deletion; answers are checked against the formula, and refutations by unit propagation of the learned clauses.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// ---- literals and clauses ----

class Literal {
public:
    Literal() = default;
    Literal(int variable, bool negated) : code(2 * variable + (negated ? 1 : 0)) {}
    static Literal from_dimacs(int number) { return {std::abs(number) - 1, number < 0}; }
    int variable() const { return code >> 1; }
    bool negated() const { return code & 1; }
    size_t index() const { return static_cast<size_t>(code); }
    int dimacs() const { return negated() ? -(variable() + 1) : variable() + 1; }
    Literal operator~() const {
        Literal other;
        other.code = code ^ 1;
        return other;
    }
    bool operator==(Literal o) const { return code == o.code; }
    bool operator!=(Literal o) const { return code != o.code; }
    bool operator<(Literal o) const { return code < o.code; }

private:
    int code = -2;
};

enum class Truth : int8_t { False = -1, Unknown = 0, True = 1 };

struct Clause {
    std::vector<Literal> literals;
    double activity = 0;
    int glue = 0;
    bool learned = false;
    bool deleted = false;
};

using Formula = std::vector<std::vector<Literal>>;

struct Problem {
    int variables = 0;
    Formula clauses;
};

static Problem parse_dimacs(std::istream &in) {
    Problem problem;
    std::string line;
    size_t announced = 0;
    int number = 0;
    bool header = false;
    std::vector<Literal> current;
    while (std::getline(in, line)) {
        number++;
        if (line.empty() || line[0] == 'c')
            continue;
        std::istringstream words(line);
        if (line[0] == 'p') {
            std::string p, format;
            if (!(words >> p >> format >> problem.variables >> announced) || format != "cnf")
                throw std::runtime_error("line " + std::to_string(number) + ": a malformed header");
            header = true;
            continue;
        }
        if (!header)
            throw std::runtime_error("line " + std::to_string(number) + ": a clause before the header");
        int literal;
        while (words >> literal) {
            if (literal == 0) {
                problem.clauses.push_back(std::move(current));
                current.clear();
            } else if (std::abs(literal) > problem.variables) {
                throw std::runtime_error("line " + std::to_string(number) + ": variable " + std::to_string(std::abs(literal)) +
                                         " is not declared");
            } else {
                current.push_back(Literal::from_dimacs(literal));
            }
        }
        if (!words.eof())
            throw std::runtime_error("line " + std::to_string(number) + ": not a number");
    }
    if (!current.empty())
        throw std::runtime_error("the last clause is not closed");
    if (problem.clauses.size() != announced)
        throw std::runtime_error(std::to_string(problem.clauses.size()) + " clauses, not " + std::to_string(announced));
    return problem;
}

static void write_dimacs(std::ostream &out, const Problem &problem) {
    out << "c written by the solver\np cnf " << problem.variables << ' ' << problem.clauses.size() << '\n';
    for (const auto &clause : problem.clauses) {
        for (Literal l : clause)
            out << l.dimacs() << ' ';
        out << "0\n";
    }
}

// ---- a heap of variables by activity, with positions ----

class ActivityHeap {
public:
    explicit ActivityHeap(const std::vector<double> &activity) : activity(activity) {}
    bool empty() const { return heap.empty(); }
    bool contains(int v) const { return static_cast<size_t>(v) < place.size() && place[static_cast<size_t>(v)] >= 0; }
    void insert(int v) {
        if (place.size() <= static_cast<size_t>(v))
            place.resize(static_cast<size_t>(v) + 1, -1);
        if (contains(v))
            return;
        place[static_cast<size_t>(v)] = static_cast<int>(heap.size());
        heap.push_back(v);
        up(heap.size() - 1);
    }
    int pop() {
        int top = heap.front();
        place[static_cast<size_t>(top)] = -1;
        int last = heap.back();
        heap.pop_back();
        if (!heap.empty()) {
            heap[0] = last;
            place[static_cast<size_t>(last)] = 0;
            down(0);
        }
        return top;
    }
    void increased(int v) {
        if (contains(v))
            up(static_cast<size_t>(place[static_cast<size_t>(v)]));
    }

private:
    bool before(int a, int b) const {
        double x = activity[static_cast<size_t>(a)], y = activity[static_cast<size_t>(b)];
        return x != y ? x > y : a < b;
    }
    void put(size_t at, int v) {
        heap[at] = v;
        place[static_cast<size_t>(v)] = static_cast<int>(at);
    }
    void up(size_t at) {
        int v = heap[at];
        while (at > 0 && before(v, heap[(at - 1) / 2])) {
            put(at, heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        put(at, v);
    }
    void down(size_t at) {
        int v = heap[at];
        for (;;) {
            size_t child = 2 * at + 1;
            if (child >= heap.size())
                break;
            if (child + 1 < heap.size() && before(heap[child + 1], heap[child]))
                child++;
            if (!before(heap[child], v))
                break;
            put(at, heap[child]);
            at = child;
        }
        put(at, v);
    }
    const std::vector<double> &activity;
    std::vector<int> heap;
    std::vector<int> place;
};

// ---- the solver ----

struct Statistics {
    long decisions = 0, propagations = 0, conflicts = 0, restarts = 0, learned = 0, deleted = 0;
};

class Solver {
public:
    explicit Solver(const Problem &problem)
        : values(static_cast<size_t>(problem.variables), Truth::Unknown), phase(values.size(), false), level(values.size(), 0),
          reason(values.size(), nullptr), activity(values.size(), 0.0), seen(values.size(), 0), order(activity),
          watches(2 * values.size()) {
        for (int v = 0; v < problem.variables; v++)
            order.insert(v);
        for (auto literals : problem.clauses) {
            std::sort(literals.begin(), literals.end());
            literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
            bool tautology = std::adjacent_find(literals.begin(), literals.end(), [](Literal a, Literal b) { return a == ~b; }) !=
                             literals.end();
            if (!tautology && !add(std::move(literals)))
                consistent = false;
        }
    }

    // The assignment, or nothing if there is none.
    std::optional<std::vector<bool>> solve() {
        if (!consistent || propagate())
            return std::nullopt;
        for (long round = 1;; round++) {
            std::optional<bool> answer = search(32 * luby(round));
            if (answer) {
                if (!*answer)
                    return std::nullopt;
                std::vector<bool> model;
                for (Truth t : values)
                    model.push_back(t == Truth::True);
                return model;
            }
            statistics.restarts++;
            backtrack(0);
            reduce();
        }
    }

    Statistics statistics;
    Formula proof; // the learned clauses in order

private:
    bool consistent = true;
    std::vector<Truth> values;
    std::vector<bool> phase;
    std::vector<int> level;
    std::vector<Clause *> reason;
    std::vector<double> activity;
    std::vector<char> seen;
    ActivityHeap order;
    std::vector<std::vector<Clause *>> watches;
    std::vector<std::unique_ptr<Clause>> clauses;
    std::vector<Literal> trail;
    std::vector<size_t> levels;
    size_t head = 0;
    double bump = 1;

    static long luby(long i) {
        long k = 1;
        while ((1L << k) - 1 < i)
            k++;
        return (1L << k) - 1 == i ? 1L << (k - 1) : luby(i - (1L << (k - 1)) + 1);
    }
    Truth value(Literal l) const {
        Truth t = values[static_cast<size_t>(l.variable())];
        return l.negated() ? static_cast<Truth>(-static_cast<int>(t)) : t;
    }
    int current_level() const { return static_cast<int>(levels.size()); }
    int level_of(Literal l) const { return level[static_cast<size_t>(l.variable())]; }

    void watch(Clause *c) {
        watches[(~c->literals[0]).index()].push_back(c);
        watches[(~c->literals[1]).index()].push_back(c);
    }
    bool add(std::vector<Literal> literals) {
        if (literals.empty())
            return false;
        if (literals.size() == 1) {
            if (value(literals[0]) == Truth::Unknown)
                assign(literals[0], nullptr);
            return value(literals[0]) == Truth::True;
        }
        auto clause = std::make_unique<Clause>();
        clause->literals = std::move(literals);
        watch(clause.get());
        clauses.push_back(std::move(clause));
        return true;
    }
    void assign(Literal l, Clause *why) {
        size_t v = static_cast<size_t>(l.variable());
        values[v] = l.negated() ? Truth::False : Truth::True;
        phase[v] = !l.negated();
        level[v] = current_level();
        reason[v] = why;
        trail.push_back(l);
    }
    // Returns a clause that is false, if there is one.
    Clause *propagate() {
        while (head < trail.size()) {
            Literal fact = trail[head++];
            statistics.propagations++;
            std::vector<Clause *> &list = watches[fact.index()];
            size_t kept = 0;
            for (size_t k = 0; k < list.size(); k++) {
                Clause *c = list[k];
                if (c->deleted)
                    continue;
                auto &ls = c->literals;
                if (ls[0] == ~fact)
                    std::swap(ls[0], ls[1]);
                if (value(ls[0]) == Truth::True) {
                    list[kept++] = c;
                    continue;
                }
                auto other = std::find_if(ls.begin() + 2, ls.end(), [this](Literal l) { return value(l) != Truth::False; });
                if (other != ls.end()) {
                    std::swap(ls[1], *other);
                    watches[(~ls[1]).index()].push_back(c);
                    continue;
                }
                list[kept++] = c;
                if (value(ls[0]) == Truth::False) {
                    while (++k < list.size())
                        list[kept++] = list[k];
                    list.resize(kept);
                    head = trail.size();
                    return c;
                }
                assign(ls[0], c);
            }
            list.resize(kept);
        }
        return nullptr;
    }
    void backtrack(int to) {
        if (current_level() <= to)
            return;
        size_t keep = levels[static_cast<size_t>(to)];
        while (trail.size() > keep) {
            int v = trail.back().variable();
            values[static_cast<size_t>(v)] = Truth::Unknown;
            order.insert(v);
            trail.pop_back();
        }
        levels.resize(static_cast<size_t>(to));
        head = trail.size();
    }
    void raise(int v) {
        double &a = activity[static_cast<size_t>(v)];
        if ((a += bump) > 1e100) {
            for (double &x : activity)
                x *= 1e-100;
            bump *= 1e-100;
        }
        order.increased(v);
    }
    // The clause of the first unique implication point, the asserting literal first, and the level to go back to.
    std::pair<std::vector<Literal>, int> analyse(Clause *conflict) {
        std::vector<Literal> learned(1);
        int open = 0;
        size_t at = trail.size();
        Literal pivot;
        bool first = true;
        do {
            conflict->activity += 1;
            for (Literal l : conflict->literals) {
                size_t v = static_cast<size_t>(l.variable());
                if ((!first && l == pivot) || seen[v] || level[v] == 0)
                    continue;
                seen[v] = 1;
                raise(l.variable());
                if (level[v] == current_level())
                    open++;
                else
                    learned.push_back(l);
            }
            first = false;
            do
                pivot = trail[--at];
            while (!seen[static_cast<size_t>(pivot.variable())]);
            conflict = reason[static_cast<size_t>(pivot.variable())];
            seen[static_cast<size_t>(pivot.variable())] = 0;
            open--;
        } while (open > 0);
        learned[0] = ~pivot;
        std::vector<Literal> marked(learned.begin() + 1, learned.end());
        learned.erase(std::remove_if(learned.begin() + 1, learned.end(), [this](Literal l) { return implied(l); }), learned.end());
        for (Literal l : marked)
            seen[static_cast<size_t>(l.variable())] = 0;
        int back = 0;
        if (learned.size() > 1) {
            auto deepest = std::max_element(learned.begin() + 1, learned.end(),
                                            [this](Literal a, Literal b) { return level_of(a) < level_of(b); });
            std::swap(learned[1], *deepest);
            back = level_of(learned[1]);
        }
        return {std::move(learned), back};
    }
    // A literal whose reason's other literals are all in the clause adds nothing.
    bool implied(Literal l) const {
        const Clause *why = reason[static_cast<size_t>(l.variable())];
        return why && std::all_of(why->literals.begin(), why->literals.end(), [&](Literal o) {
                   return o == ~l || seen[static_cast<size_t>(o.variable())] || level_of(o) == 0;
               });
    }
    std::optional<bool> search(long budget) {
        for (long conflicts = 0;;) {
            if (Clause *conflict = propagate()) {
                statistics.conflicts++;
                conflicts++;
                if (current_level() == 0)
                    return false;
                auto [literals, back] = analyse(conflict);
                proof.push_back(literals);
                std::vector<int> met;
                for (Literal l : literals)
                    met.push_back(level_of(l));
                std::sort(met.begin(), met.end());
                int glue = static_cast<int>(std::unique(met.begin(), met.end()) - met.begin());
                backtrack(back);
                if (literals.size() == 1) {
                    assign(literals[0], nullptr);
                } else {
                    auto clause = std::make_unique<Clause>();
                    clause->literals = literals;
                    clause->learned = true;
                    clause->glue = glue;
                    watch(clause.get());
                    assign(literals[0], clause.get());
                    clauses.push_back(std::move(clause));
                }
                statistics.learned++;
                bump /= 0.95;
                continue;
            }
            if (conflicts >= budget)
                return std::nullopt;
            int v = -1;
            while (!order.empty() && v < 0) {
                int candidate = order.pop();
                if (values[static_cast<size_t>(candidate)] == Truth::Unknown)
                    v = candidate;
            }
            if (v < 0)
                return true;
            statistics.decisions++;
            levels.push_back(trail.size());
            assign(Literal(v, !phase[static_cast<size_t>(v)]), nullptr);
        }
    }
    // Forgets half of the learned clauses with many levels; only at level 0, where no clause is a reason that matters.
    void reduce() {
        std::vector<Clause *> candidates;
        for (const auto &c : clauses)
            if (c->learned && c->glue > 3)
                candidates.push_back(c.get());
        if (candidates.size() < 60)
            return;
        for (Literal l : trail)
            reason[static_cast<size_t>(l.variable())] = nullptr;
        std::stable_sort(candidates.begin(), candidates.end(), [](const Clause *a, const Clause *b) { return a->activity < b->activity; });
        for (size_t i = 0; i < candidates.size() / 2; i++) {
            candidates[i]->deleted = true;
            statistics.deleted++;
        }
        for (auto &list : watches)
            list.erase(std::remove_if(list.begin(), list.end(), [](const Clause *c) { return c->deleted; }), list.end());
        clauses.erase(std::remove_if(clauses.begin(), clauses.end(), [](const auto &c) { return c->deleted; }), clauses.end());
        for (const auto &c : clauses)
            c->activity *= 0.5;
    }
};

// ---- checks of the answers ----

static bool satisfies(const Problem &problem, const std::vector<bool> &model) {
    return std::all_of(problem.clauses.begin(), problem.clauses.end(), [&](const auto &clause) {
        return std::any_of(clause.begin(), clause.end(),
                           [&](Literal l) { return model[static_cast<size_t>(l.variable())] != l.negated(); });
    });
}

// Each learned clause must follow from those before it by unit propagation alone (RUP), and the empty one from all.
static bool refutes(const Problem &problem, const Formula &proof) {
    Formula known = problem.clauses;
    auto conflicts = [&](const std::vector<Literal> &negated) {
        std::vector<Truth> value(static_cast<size_t>(problem.variables), Truth::Unknown);
        auto look = [&](Literal l) {
            Truth t = value[static_cast<size_t>(l.variable())];
            return l.negated() ? static_cast<Truth>(-static_cast<int>(t)) : t;
        };
        auto set = [&](Literal l) { value[static_cast<size_t>(l.variable())] = l.negated() ? Truth::False : Truth::True; };
        for (Literal l : negated)
            set(~l);
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto &clause : known) {
                int open = 0;
                Literal unit;
                bool holds = false;
                for (Literal l : clause) {
                    Truth t = look(l);
                    if (t == Truth::True) {
                        holds = true;
                        break;
                    }
                    if (t == Truth::Unknown && (open == 0 || l != unit)) {
                        open++;
                        unit = l;
                    }
                }
                if (holds || open > 1)
                    continue;
                if (open == 0)
                    return true;
                set(unit);
                changed = true;
            }
        }
        return false;
    };
    for (const auto &clause : proof) {
        if (!conflicts(clause))
            return false;
        known.push_back(clause);
    }
    return conflicts({});
}

// ---- problems ----

static Problem pigeons(int holes) {
    Problem p;
    int birds = holes + 1;
    p.variables = birds * holes;
    auto in = [&](int bird, int hole) { return Literal(bird * holes + hole, false); };
    for (int b = 0; b < birds; b++) {
        std::vector<Literal> somewhere;
        for (int h = 0; h < holes; h++)
            somewhere.push_back(in(b, h));
        p.clauses.push_back(somewhere);
    }
    for (int h = 0; h < holes; h++)
        for (int a = 0; a < birds; a++)
            for (int b = 0; b < a; b++)
                p.clauses.push_back({~in(a, h), ~in(b, h)});
    return p;
}

static Problem queens(int n) {
    Problem p;
    p.variables = n * n;
    auto at = [&](int r, int c) { return Literal(r * n + c, false); };
    for (int r = 0; r < n; r++) {
        std::vector<Literal> row;
        for (int c = 0; c < n; c++)
            row.push_back(at(r, c));
        p.clauses.push_back(row);
    }
    for (int i = 0; i < n * n; i++)
        for (int j = 0; j < i; j++) {
            int dr = std::abs(i / n - j / n), dc = std::abs(i % n - j % n);
            if (dr == 0 || dc == 0 || dr == dc)
                p.clauses.push_back({~at(i / n, i % n), ~at(j / n, j % n)});
        }
    return p;
}

static Problem random_3sat(int variables, int clauses, uint32_t seed) {
    Problem p;
    p.variables = variables;
    auto next = [&seed](uint32_t bound) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 10) % bound;
    };
    while (static_cast<int>(p.clauses.size()) < clauses) {
        std::vector<Literal> clause;
        for (int k = 0; k < 3; k++)
            clause.emplace_back(static_cast<int>(next(static_cast<uint32_t>(variables))), next(2) == 1);
        p.clauses.push_back(clause);
    }
    return p;
}

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    if (!holds) {
        failures++;
        std::cout << "FAILED: " << what << '\n';
    }
}

static void run(const std::string &name, const Problem &problem, std::optional<bool> expected) {
    Solver solver(problem);
    auto model = solver.solve();
    const Statistics &s = solver.statistics;
    std::printf("%-14s %-13s %4ld decisions %4ld conflicts %2ld restarts %3ld deleted\n", name.c_str(), model ? "satisfiable" : "unsatisfiable",
                s.decisions, s.conflicts, s.restarts, s.deleted);
    if (expected)
        expect(model.has_value() == *expected, name + ": the wrong answer");
    expect(model ? satisfies(problem, *model) : refutes(problem, solver.proof), name + ": an answer that does not hold");
}

int main() {
    run("pigeons 3", pigeons(3), false);
    run("pigeons 4", pigeons(4), false);
    run("queens 3", queens(3), false);
    run("queens 6", queens(6), true);
    for (uint32_t seed = 1; seed <= 4; seed++)
        run("random " + std::to_string(seed), random_3sat(24, 96 + 8 * static_cast<int>(seed), seed), std::nullopt);
    run("empty clause", Problem{1, {{}}}, false);
    run("no clauses", Problem{3, {}}, true);

    std::stringstream text;
    write_dimacs(text, queens(4));
    Problem again = parse_dimacs(text);
    expect(again.clauses.size() == queens(4).clauses.size() && again.variables == 16, "what is written is read");
    run("read queens 4", again, true);
    const std::map<std::string, std::string> broken{
        {"1 2 0\n", "before the header"},
        {"p cnf two 1\n", "malformed header"},
        {"p cnf 2 1\n1 3 0\n", "variable 3"},
        {"p cnf 2 2\n1 2 0\n", "1 clauses, not 2"},
        {"p cnf 2 1\n1 x 0\n", "not a number"},
        {"p cnf 2 1\n1 2\n", "not closed"},
    };
    for (const auto &[input, phrase] : broken) {
        std::istringstream in(input);
        try {
            parse_dimacs(in);
            expect(false, "accepted: " + input);
        } catch (const std::runtime_error &error) {
            std::cout << "refused: " << error.what() << '\n';
            expect(std::string(error.what()).find(phrase) != std::string::npos, phrase);
        }
    }
    std::cout << failures << " failures\n";
    return failures == 0 ? 0 : 1;
}
