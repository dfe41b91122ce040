// Linear programming: models read from text, exact fractions or doubles by template, the two-phase simplex method with Bland's rule, duals
// and reduced costs checked by strong duality, branch and bound for whole numbers, and a transport problem.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// ---- exact fractions ----

class Fraction {
public:
    Fraction(int64_t n = 0, int64_t d = 1) : num(n), den(d) { reduce(); }
    static Fraction parse(const std::string &text) {
        size_t slash = text.find('/'), point = text.find('.');
        if (slash != std::string::npos)
            return {std::stoll(text.substr(0, slash)), std::stoll(text.substr(slash + 1))};
        if (point == std::string::npos)
            return {std::stoll(text)};
        std::string digits = text;
        digits.erase(point, 1);
        int64_t scale = 1;
        for (size_t i = point + 1; i < text.size(); i++)
            scale *= 10;
        return {std::stoll(digits), scale};
    }
    friend Fraction operator+(const Fraction &a, const Fraction &b) {
        return {checked_add(checked_mul(a.num, b.den), checked_mul(b.num, a.den)), checked_mul(a.den, b.den)};
    }
    friend Fraction operator-(const Fraction &a) { return {-a.num, a.den}; }
    friend Fraction operator-(const Fraction &a, const Fraction &b) { return a + -b; }
    friend Fraction operator*(const Fraction &a, const Fraction &b) {
        Fraction x(a.num, b.den), y(b.num, a.den);
        return {checked_mul(x.num, y.num), checked_mul(x.den, y.den)};
    }
    friend Fraction operator/(const Fraction &a, const Fraction &b) {
        if (b.num == 0)
            throw std::domain_error("division by zero");
        return a * Fraction(b.den, b.num);
    }
    Fraction &operator+=(const Fraction &o) { return *this = *this + o; }
    Fraction &operator-=(const Fraction &o) { return *this = *this - o; }
    Fraction &operator/=(const Fraction &o) { return *this = *this / o; }
    friend bool operator==(const Fraction &a, const Fraction &b) { return a.num == b.num && a.den == b.den; }
    friend bool operator!=(const Fraction &a, const Fraction &b) { return !(a == b); }
    friend bool operator<(const Fraction &a, const Fraction &b) { return static_cast<__int128>(a.num) * b.den < static_cast<__int128>(b.num) * a.den; }
    friend bool operator>(const Fraction &a, const Fraction &b) { return b < a; }
    friend std::ostream &operator<<(std::ostream &out, const Fraction &f) {
        out << f.num;
        return f.den == 1 ? out : out << '/' << f.den;
    }
    Fraction floor() const { return num >= 0 || num % den == 0 ? Fraction(num / den) : Fraction(num / den - 1); }
    bool whole() const { return den == 1; }
    explicit operator double() const { return static_cast<double>(num) / static_cast<double>(den); }

private:
    int64_t num, den;
    void reduce() {
        if (den == 0)
            throw std::domain_error("a fraction with denominator zero");
        int64_t g = std::gcd(num, den);
        if (den < 0)
            g = -g;
        num /= g;
        den /= g;
    }
    static int64_t checked_mul(int64_t a, int64_t b) {
        int64_t result;
        if (__builtin_mul_overflow(a, b, &result))
            throw std::overflow_error("a fraction becomes too long");
        return result;
    }
    static int64_t checked_add(int64_t a, int64_t b) {
        int64_t result;
        if (__builtin_add_overflow(a, b, &result))
            throw std::overflow_error("a fraction becomes too long");
        return result;
    }
};

// What the method asks of numbers: signs up to rounding.
template <class T> struct Numbers;
template <> struct Numbers<Fraction> {
    static bool negative(const Fraction &x) { return x < Fraction(0); }
    static bool positive(const Fraction &x) { return Fraction(0) < x; }
    static Fraction from(const Fraction &x) { return x; }
};
template <> struct Numbers<double> {
    static bool negative(double x) { return x < -1e-9; }
    static bool positive(double x) { return x > 1e-9; }
    static double from(const Fraction &x) { return static_cast<double>(x); }
};

// ---- models ----

enum class Relation { AtMost, Equal, AtLeast };

struct Row {
    std::string name;
    std::map<std::string, Fraction> terms;
    Relation relation = Relation::AtMost;
    Fraction bound;
};

struct Model {
    bool maximise = true;
    std::map<std::string, Fraction> objective;
    std::vector<Row> rows;
    std::vector<std::string> integers;

    std::vector<std::string> variables() const {
        std::map<std::string, int> seen;
        for (const auto &[name, c] : objective)
            seen[name]++;
        for (const Row &row : rows)
            for (const auto &[name, c] : row.terms)
                seen[name]++;
        std::vector<std::string> names;
        for (const auto &[name, count] : seen)
            names.push_back(name);
        return names;
    }
};

// Lines such as "max: 3 x + 2 y", "wood: x + 2 y <= 4" and "int x".
static Model read_model(const std::string &text) {
    Model model;
    std::istringstream lines(text);
    std::string line;
    int number = 0;
    bool objective = false;
    while (std::getline(lines, line)) {
        number++;
        auto fail = [&](const std::string &what) { throw std::invalid_argument("line " + std::to_string(number) + ": " + what); };
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || word[0] == '#')
            continue;
        if (word == "int") {
            while (words >> word)
                model.integers.push_back(word);
            continue;
        }
        if (word.back() != ':')
            fail("expected a name and a colon, found " + word);
        Row row;
        row.name = word.substr(0, word.size() - 1);
        Fraction sign(1), factor(1);
        bool bounded = false;
        while (words >> word) {
            if (word == "+" || word == "-") {
                sign = word == "-" ? Fraction(-1) : Fraction(1);
            } else if (word == "<=" || word == ">=" || word == "=") {
                row.relation = word == "<=" ? Relation::AtMost : word == ">=" ? Relation::AtLeast : Relation::Equal;
                if (!(words >> word))
                    fail("a bound is missing");
                try {
                    row.bound = Fraction::parse(word);
                } catch (const std::invalid_argument &) {
                    fail("a malformed bound " + word);
                }
                bounded = true;
            } else if (std::isdigit(static_cast<unsigned char>(word[0]))) {
                factor = Fraction::parse(word);
            } else {
                row.terms[word] += sign * factor;
                sign = factor = Fraction(1);
            }
        }
        if (row.name == "max" || row.name == "min") {
            model.maximise = row.name == "max";
            model.objective = row.terms;
            objective = true;
        } else if (bounded) {
            model.rows.push_back(std::move(row));
        } else {
            fail("no relation");
        }
    }
    if (!objective)
        throw std::invalid_argument("no objective");
    return model;
}

// ---- the method ----

enum class Status { Optimal, Infeasible, Unbounded };

template <class T> struct Answer {
    Status status = Status::Infeasible;
    T value{};
    std::map<std::string, T> x, dual;
    int pivots = 0;
};

template <class T> class Simplex {
public:
    explicit Simplex(const Model &model) : model(model), names(model.variables()) {}

    Answer<T> solve() {
        build();
        Answer<T> answer;
        if (artificial > 0) {
            // First phase: minimise the sum of the artificial variables.
            std::vector<T> cost(columns(), T(0));
            for (size_t j = first_artificial; j < columns(); j++)
                cost[j] = T(-1);
            price(cost);
            if (!iterate(columns()) || Numbers<T>::negative(reduced.back()))
                return finish(answer, Status::Infeasible);
            drive_out();
        }
        std::vector<T> cost(columns(), T(0));
        for (size_t j = 0; j < names.size(); j++) {
            auto found = model.objective.find(names[j]);
            if (found != model.objective.end())
                cost[j] = (model.maximise ? T(1) : T(-1)) * Numbers<T>::from(found->second);
        }
        price(cost);
        if (!iterate(first_artificial))
            return finish(answer, Status::Unbounded);
        for (const std::string &name : names)
            answer.x[name] = T(0);
        for (size_t i = 0; i < basis.size(); i++)
            if (basis[i] < names.size())
                answer.x[names[basis[i]]] = table[i].back();
        T sense = model.maximise ? T(1) : T(-1);
        answer.value = sense * reduced.back();
        for (size_t i = 0; i < model.rows.size(); i++)
            answer.dual[model.rows[i].name] = sense * flipped[i] * reduced[unit[i]];
        return finish(answer, Status::Optimal);
    }

private:
    const Model &model;
    std::vector<std::string> names;
    std::vector<std::vector<T>> table; // one row for each constraint, the right side last
    std::vector<T> reduced;            // costs, the value last
    std::vector<size_t> basis, unit;   // the column that is the row's unit vector at the start
    std::vector<T> flipped;
    size_t first_artificial = 0, artificial = 0;
    int pivots = 0;

    size_t columns() const { return first_artificial + artificial; }
    Answer<T> finish(Answer<T> &answer, Status status) {
        answer.status = status;
        answer.pivots = pivots;
        return answer;
    }
    void build() {
        size_t m = model.rows.size(), slacks = 0;
        std::vector<Relation> relations;
        flipped.assign(m, T(1));
        for (size_t i = 0; i < m; i++) {
            Relation r = model.rows[i].relation;
            if (model.rows[i].bound < Fraction(0)) {
                flipped[i] = T(-1);
                r = r == Relation::AtMost ? Relation::AtLeast : r == Relation::AtLeast ? Relation::AtMost : r;
            }
            relations.push_back(r);
            slacks += r != Relation::Equal;
        }
        first_artificial = names.size() + slacks;
        artificial = static_cast<size_t>(std::count_if(relations.begin(), relations.end(), [](Relation r) { return r != Relation::AtMost; }));
        table.assign(m, std::vector<T>(columns() + 1, T(0)));
        size_t slack = names.size(), extra = first_artificial;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < names.size(); j++) {
                auto found = model.rows[i].terms.find(names[j]);
                if (found != model.rows[i].terms.end())
                    table[i][j] = flipped[i] * Numbers<T>::from(found->second);
            }
            table[i].back() = flipped[i] * Numbers<T>::from(model.rows[i].bound);
            if (relations[i] == Relation::AtLeast)
                table[i][slack++] = T(-1);
            size_t own = relations[i] == Relation::AtMost ? slack++ : extra++;
            table[i][own] = T(1);
            basis.push_back(own);
            unit.push_back(own);
        }
    }
    // Costs relative to the basis.
    void price(const std::vector<T> &cost) {
        reduced.assign(columns() + 1, T(0));
        for (size_t j = 0; j < columns(); j++)
            reduced[j] = -cost[j];
        for (size_t i = 0; i < basis.size(); i++)
            for (size_t j = 0; j <= columns(); j++)
                reduced[j] += cost[basis[i]] * table[i][j];
    }
    void pivot(size_t row, size_t column) {
        pivots++;
        T p = table[row][column];
        for (T &x : table[row])
            x /= p;
        auto eliminate = [&](std::vector<T> &other) {
            T factor = other[column];
            if (factor == T(0))
                return;
            for (size_t j = 0; j < other.size(); j++)
                other[j] -= factor * table[row][j];
        };
        for (size_t i = 0; i < table.size(); i++)
            if (i != row)
                eliminate(table[i]);
        eliminate(reduced);
        basis[row] = column;
    }
    // Bland's rule: the first column that improves, and of the rows with the least ratio that of the first variable.
    bool iterate(size_t usable) {
        for (;;) {
            size_t column = 0;
            while (column < usable && !Numbers<T>::negative(reduced[column]))
                column++;
            if (column == usable)
                return true;
            std::optional<size_t> row;
            for (size_t i = 0; i < table.size(); i++) {
                if (!Numbers<T>::positive(table[i][column]))
                    continue;
                if (!row) {
                    row = i;
                    continue;
                }
                T here = table[i].back() / table[i][column], best = table[*row].back() / table[*row][column];
                if (here < best || (!(best < here) && basis[i] < basis[*row]))
                    row = i;
            }
            if (!row)
                return false;
            pivot(*row, column);
            if (pivots > 500)
                throw std::runtime_error("too many pivots");
        }
    }
    void drive_out() {
        for (size_t i = 0; i < basis.size(); i++) {
            if (basis[i] < first_artificial)
                continue;
            for (size_t j = 0; j < first_artificial; j++)
                if (Numbers<T>::positive(table[i][j]) || Numbers<T>::negative(table[i][j])) {
                    pivot(i, j);
                    break;
                }
        }
    }
};

// ---- whole numbers by branch and bound ----

struct Whole {
    std::optional<Fraction> value;
    std::map<std::string, Fraction> x;
    int nodes = 0;
};

static void branch(const Model &model, Whole &best) {
    best.nodes++;
    Answer<Fraction> relaxed = Simplex<Fraction>(model).solve();
    if (relaxed.status == Status::Unbounded)
        throw std::runtime_error("the relaxation is unbounded");
    if (relaxed.status == Status::Infeasible)
        return;
    if (best.value && !(model.maximise ? *best.value < relaxed.value : relaxed.value < *best.value))
        return;
    for (const std::string &name : model.integers) {
        Fraction x = relaxed.x[name];
        if (x.whole())
            continue;
        for (bool up : {false, true}) {
            Model part = model;
            Row row;
            row.name = name + (up ? ">" : "<") + std::to_string(model.rows.size());
            row.terms[name] = Fraction(1);
            row.relation = up ? Relation::AtLeast : Relation::AtMost;
            row.bound = up ? x.floor() + Fraction(1) : x.floor();
            part.rows.push_back(row);
            branch(part, best);
        }
        return;
    }
    best.value = relaxed.value;
    best.x = relaxed.x;
}

// ---- checks ----

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "  ok      " : "  FAILED  ") << what << '\n';
    failures += !holds;
}

static bool feasible(const Model &model, const std::map<std::string, Fraction> &x) {
    for (const Row &row : model.rows) {
        Fraction sum;
        for (const auto &[name, c] : row.terms)
            sum += c * x.at(name);
        if ((row.relation != Relation::AtLeast && row.bound < sum) || (row.relation != Relation::AtMost && sum < row.bound))
            return false;
    }
    return std::none_of(x.begin(), x.end(), [](const auto &entry) { return entry.second < Fraction(0); });
}

static void solve(const std::string &title, const std::string &text, const std::string &expected) {
    Model model = read_model(text);
    Answer<Fraction> exact = Simplex<Fraction>(model).solve();
    Answer<double> rounded = Simplex<double>(model).solve();
    std::ostringstream result;
    if (exact.status == Status::Optimal) {
        result << exact.value;
        for (const auto &[name, value] : exact.x)
            result << ' ' << name << '=' << value;
    } else {
        result << (exact.status == Status::Infeasible ? "infeasible" : "unbounded");
    }
    std::cout << title << ": " << result.str() << " (" << exact.pivots << " pivots)\n";
    expect(result.str() == expected, "the answer is " + expected);
    expect(rounded.status == exact.status, "doubles come to the same");
    if (exact.status != Status::Optimal)
        return;
    expect(feasible(model, exact.x), "it is feasible");
    expect(std::abs(rounded.value - static_cast<double>(exact.value)) < 1e-9, "with the same value");
    Fraction dual;
    for (const Row &row : model.rows)
        dual += row.bound * exact.dual[row.name];
    for (const auto &[name, price] : exact.dual)
        std::cout << "    " << std::left << std::setw(8) << name << std::right << " is worth " << price << '\n';
    if (std::none_of(model.rows.begin(), model.rows.end(), [](const Row &r) { return r.relation != Relation::AtMost; }))
        expect(dual == exact.value, "strong duality");
}

int main() {
    solve("carpenter", "# tables and chairs\nmax: 3 t + 2 c\nwood: t + c <= 4\nwork: t + 3 c <= 6\nshop: t <= 3\n", "11 c=1 t=3");
    solve("diet", "min: 3/5 bread + 0.35 milk\nenergy: 5 bread + 7 milk >= 8\nprotein: 4 bread + 2 milk >= 15\niron: 2 bread + milk >= 3\n", "9/4 bread=15/4 milk=0");
    solve("equality", "max: x + y + z\na: x + y = 3\nb: y + z = 2\nc: x - z >= -1/2\n", "5 x=3 y=0 z=2");
    solve("degenerate", "max: 3/4 a - 150 b + 1/50 c - 6 d\none: 1/4 a - 60 b - 1/25 c + 9 d <= 0\ntwo: 1/2 a - 90 b - 1/50 c + 3 d <= 0\nthree: c <= 1\n",
          "1/20 a=1/25 b=0 c=1 d=0");
    solve("impossible", "max: x\na: x >= 3\nb: x <= 2\n", "infeasible");
    solve("endless", "max: x + y\na: x - y <= 1\n", "unbounded");
    solve("transport",
          "min: 4 af + 6 ag + 8 ah + 5 bf + 3 bg + 7 bh\nsa: af + ag + ah <= 30\nsb: bf + bg + bh <= 40\ndf: af + bf >= 20\n"
          "dg: ag + bg >= 25\ndh: ah + bh >= 20\n",
          "300 af=20 ag=0 ah=5 bf=0 bg=25 bh=15");

    Model knapsack = read_model("max: 10 a + 13 b + 7 c + 8 d\nweight: 4 a + 6 b + 3 c + 5 d <= 10\nca: a <= 1\ncb: b <= 1\ncc: c <= 1\ncd: d <= 1\nint a b c d\n");
    Whole packed;
    branch(knapsack, packed);
    std::cout << "knapsack: " << *packed.value << " after " << packed.nodes << " nodes\n";
    expect(packed.value == Fraction(23) && packed.x["a"] == Fraction(1) && packed.x["b"] == Fraction(1), "the best load");
    Model even = read_model("max: x\na: 2 x + 2 y = 3\nb: x + y <= 2\nint x y\n");
    Whole none;
    branch(even, none);
    expect(!none.value, "no whole solution");

    // More bread than is needed costs nothing more: where a price is zero the bound may move.
    Model diet = read_model("min: 2 a + 3 b\nx: a + b >= 4\ny: a <= 10\n");
    Answer<Fraction> before = Simplex<Fraction>(diet).solve();
    diet.rows[1].bound = Fraction(20);
    Answer<Fraction> after = Simplex<Fraction>(diet).solve();
    expect(before.dual["y"] == Fraction(0) && before.value == after.value, "a slack bound has no price");
    diet.rows[0].bound += Fraction(1);
    Answer<Fraction> moved = Simplex<Fraction>(diet).solve();
    expect(moved.value - after.value == after.dual["x"], "a tight one has the price that it says");

    const std::vector<std::pair<std::string, std::string>> bad{
        {"a: x <= 1\n", "no objective"},
        {"max: x\nx <= 1\n", "expected a name and a colon, found x"},
        {"max: x\na: x\n", "no relation"},
        {"max: x\na: x <=\n", "a bound is missing"},
        {"max: x\na: x <= y\n", "a malformed bound y"},
    };
    for (const auto &[text, phrase] : bad) {
        try {
            read_model(text);
            expect(false, "accepted");
        } catch (const std::invalid_argument &error) {
            expect(std::string(error.what()).find(phrase) != std::string::npos, error.what());
        }
    }
    try {
        Fraction big(int64_t{1} << 62);
        std::cout << big * Fraction(3) << '\n';
        expect(false, "overflow");
    } catch (const std::overflow_error &error) {
        expect(true, error.what());
    }
    std::cout << failures << " failures\n";
    return failures != 0;
}
