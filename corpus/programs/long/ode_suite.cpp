// Integrators of ordinary differential equations and splines: Runge-Kutta methods from their tableaux, an adaptive method with dense output
// and events, implicit methods with Newton's iteration, a symplectic one, orders measured, and the sensitivity of an orbit.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// ---- vectors of fixed size ----

template <size_t N> struct Vec : std::array<double, N> {
    Vec &operator+=(const Vec &o) {
        for (size_t i = 0; i < N; i++)
            (*this)[i] += o[i];
        return *this;
    }
    friend Vec operator+(Vec a, const Vec &b) { return a += b; }
    friend Vec operator-(Vec a, const Vec &b) { return a += -1.0 * b; }
    friend Vec operator*(double s, Vec a) {
        for (double &x : a)
            x *= s;
        return a;
    }
    double norm() const { return std::sqrt(std::inner_product(this->begin(), this->end(), this->begin(), 0.0)); }
};

template <size_t N> using Matrix = std::array<std::array<double, N>, N>;

// Gaussian elimination with partial pivoting.
template <size_t N> Vec<N> solve(Matrix<N> a, Vec<N> b) {
    for (size_t k = 0; k < N; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < N; i++)
            if (std::abs(a[i][k]) > std::abs(a[pivot][k]))
                pivot = i;
        if (a[pivot][k] == 0)
            throw std::domain_error("a singular matrix");
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
        for (size_t i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (size_t j = k; j < N; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = N; k-- > 0;) {
        for (size_t j = k + 1; j < N; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

// ---- problems ----

template <size_t N> struct Problem {
    std::string name;
    std::function<Vec<N>(double, const Vec<N> &)> slope;
    Vec<N> start;
    double end;
    std::function<Vec<N>(double)> exact;
};

static Problem<1> decay() {
    return {"decay", [](double, const Vec<1> &y) { return Vec<1>{{-y[0]}}; }, {{1}}, 2, [](double t) { return Vec<1>{{std::exp(-t)}}; }};
}
static Problem<2> oscillator() {
    return {"oscillator", [](double, const Vec<2> &y) { return Vec<2>{{y[1], -y[0]}}; }, {{1, 0}}, 3,
            [](double t) { return Vec<2>{{std::cos(t), -std::sin(t)}}; }};
}
static Problem<1> forced() {
    return {"forced", [](double t, const Vec<1> &y) { return Vec<1>{{std::cos(t) - 2 * (y[0] - std::sin(t))}}; }, {{0}}, 2,
            [](double t) { return Vec<1>{{std::sin(t)}}; }};
}
static Problem<1> stiff() {
    return {"stiff", [](double t, const Vec<1> &y) { return Vec<1>{{-300 * (y[0] - std::cos(t)) - std::sin(t)}}; }, {{1}}, 1,
            [](double t) { return Vec<1>{{std::cos(t)}}; }};
}

// ---- explicit methods from their tableaux ----

struct Tableau {
    std::string name;
    int order;
    std::vector<std::vector<double>> a;
    std::vector<double> b, c;

    // The conditions for order two.
    bool consistent() const {
        double sum = std::accumulate(b.begin(), b.end(), 0.0), first = std::inner_product(b.begin(), b.end(), c.begin(), 0.0);
        for (size_t i = 0; i < a.size(); i++)
            if (std::abs(std::accumulate(a[i].begin(), a[i].end(), 0.0) - c[i]) > 1e-14)
                return false;
        return std::abs(sum - 1) < 1e-14 && (order < 2 || std::abs(first - 0.5) < 1e-14);
    }
};

static const std::vector<Tableau> &tableaux() {
    static const std::vector<Tableau> all{
        {"euler", 1, {{}}, {1}, {0}},
        {"midpoint", 2, {{}, {0.5}}, {0, 1}, {0, 0.5}},
        {"heun", 2, {{}, {1}}, {0.5, 0.5}, {0, 1}},
        {"kutta", 3, {{}, {0.5}, {-1, 2}}, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {0, 0.5, 1}},
        {"classical", 4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}},
        {"three-eighths", 4, {{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}}, {0.125, 0.375, 0.375, 0.125}, {0, 1.0 / 3, 2.0 / 3, 1}},
    };
    return all;
}

template <size_t N> class Method {
public:
    virtual ~Method() = default;
    virtual std::string name() const = 0;
    virtual int order() const = 0;
    virtual Vec<N> step(const Problem<N> &p, double t, const Vec<N> &y, double h) = 0;

    Vec<N> integrate(const Problem<N> &p, int steps) {
        Vec<N> y = p.start;
        double h = p.end / steps;
        for (int k = 0; k < steps; k++)
            y = step(p, k * h, y, h);
        return y;
    }
};

template <size_t N> class Explicit final : public Method<N> {
public:
    explicit Explicit(const Tableau &tableau) : tableau(tableau) {}
    std::string name() const override { return tableau.name; }
    int order() const override { return tableau.order; }
    Vec<N> step(const Problem<N> &p, double t, const Vec<N> &y, double h) override {
        std::vector<Vec<N>> k;
        k.reserve(tableau.b.size());
        for (size_t i = 0; i < tableau.b.size(); i++) {
            Vec<N> at = y;
            for (size_t j = 0; j < tableau.a[i].size(); j++)
                at += h * tableau.a[i][j] * k[j];
            k.push_back(p.slope(t + tableau.c[i] * h, at));
        }
        Vec<N> next = y;
        for (size_t i = 0; i < k.size(); i++)
            next += h * tableau.b[i] * k[i];
        return next;
    }

private:
    const Tableau &tableau;
};

// ---- implicit methods: theta = 1 is backward Euler, 1/2 the trapezoidal rule ----

template <size_t N> class Theta final : public Method<N> {
public:
    explicit Theta(double theta) : theta(theta) {}
    std::string name() const override { return theta == 1 ? "backward euler" : "trapezoidal"; }
    int order() const override { return theta == 1 ? 1 : 2; }
    int iterations = 0;
    Vec<N> step(const Problem<N> &p, double t, const Vec<N> &y, double h) override {
        Vec<N> known = y + h * (1 - theta) * p.slope(t, y), next = y;
        for (int round = 0; round < 20; round++) {
            iterations++;
            Vec<N> slope = p.slope(t + h, next), defect = next - known - h * theta * slope;
            if (defect.norm() < 1e-13)
                return next;
            Matrix<N> jacobian{};
            for (size_t j = 0; j < N; j++) {
                double e = 1e-7 * (1 + std::abs(next[j]));
                Vec<N> moved = next;
                moved[j] += e;
                Vec<N> column = (1 / e) * (p.slope(t + h, moved) - slope);
                for (size_t i = 0; i < N; i++)
                    jacobian[i][j] = (i == j ? 1.0 : 0.0) - h * theta * column[i];
            }
            next = next - solve(jacobian, defect);
        }
        throw std::runtime_error("Newton's iteration does not converge");
    }

private:
    double theta;
};

// ---- several steps: Adams and Bashforth, started by a one-step method ----

template <size_t N> class Adams final : public Method<N> {
public:
    explicit Adams(int steps) : steps(steps), starter(tableaux()[4]) {
        if (steps < 1 || steps > 4)
            throw std::invalid_argument("Adams' methods have one to four steps here");
    }
    std::string name() const override { return "adams " + std::to_string(steps); }
    int order() const override { return steps; }
    Vec<N> step(const Problem<N> &p, double t, const Vec<N> &y, double h) override {
        if (t == 0)
            past.clear();
        static const std::array<std::vector<double>, 4> weights{{
            {1},
            {3.0 / 2, -1.0 / 2},
            {23.0 / 12, -16.0 / 12, 5.0 / 12},
            {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
        }};
        past.insert(past.begin(), p.slope(t, y));
        if (past.size() > static_cast<size_t>(steps))
            past.pop_back();
        if (past.size() < static_cast<size_t>(steps))
            return starter.step(p, t, y, h);
        Vec<N> next = y;
        for (size_t i = 0; i < past.size(); i++)
            next += h * weights[static_cast<size_t>(steps) - 1][i] * past[i];
        return next;
    }

private:
    int steps;
    Explicit<N> starter;
    std::vector<Vec<N>> past; // newest first
};

// ---- an adaptive pair of orders 3 and 2 (Bogacki and Shampine), with cubic dense output ----

template <size_t N> struct Segment {
    double t, h;
    Vec<N> y0, y1, f0, f1;
    Vec<N> at(double time) const {
        double s = (time - t) / h;
        double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s), h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
        return h00 * y0 + h10 * h * f0 + h01 * y1 + h11 * h * f1;
    }
};

template <size_t N> struct Solution {
    std::vector<Segment<N>> segments;
    int rejected = 0;
    Vec<N> at(double time) const {
        auto after = std::upper_bound(segments.begin(), segments.end(), time, [](double t, const Segment<N> &s) { return t < s.t; });
        if (after == segments.begin())
            throw std::out_of_range("before the start");
        return std::prev(after)->at(time);
    }
};

template <size_t N> Solution<N> adaptive(const Problem<N> &p, double tolerance) {
    Solution<N> solution;
    double t = 0, h = 0.1;
    Vec<N> y = p.start, f = p.slope(0, y);
    while (t < p.end * (1 - 1e-12)) {
        h = std::min(h, p.end - t);
        Vec<N> k2 = p.slope(t + h / 2, y + 0.5 * h * f), k3 = p.slope(t + 0.75 * h, y + 0.75 * h * k2);
        Vec<N> next = y + h * ((2.0 / 9) * f + (1.0 / 3) * k2 + (4.0 / 9) * k3), k4 = p.slope(t + h, next);
        Vec<N> error = h * ((-5.0 / 72) * f + (1.0 / 12) * k2 + (1.0 / 9) * k3 - 0.125 * k4);
        double ratio = error.norm() / (tolerance * (1 + y.norm()));
        if (ratio <= 1) {
            solution.segments.push_back({t, h, y, next, f, k4});
            t += h;
            y = next;
            f = k4;
        } else {
            solution.rejected++;
        }
        h *= std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -1.0 / 3), 0.2, 5.0);
        if (h < 1e-12)
            throw std::runtime_error("the step becomes too small");
    }
    return solution;
}

// The first time at which a function of the state changes its sign.
template <size_t N> std::optional<double> event(const Solution<N> &solution, const std::function<double(const Vec<N> &)> &g) {
    for (const Segment<N> &s : solution.segments) {
        double low = s.t, high = s.t + s.h;
        if (g(s.y0) == 0 || g(s.y0) * g(s.y1) >= 0)
            continue;
        bool rising = g(s.y1) > 0;
        while (high - low > 1e-12) {
            double middle = 0.5 * (low + high);
            ((g(s.at(middle)) > 0) == rising ? high : low) = middle;
        }
        return 0.5 * (low + high);
    }
    return std::nullopt;
}

// ---- natural cubic splines ----

class Spline {
public:
    Spline(std::vector<double> xs, std::vector<double> ys) : x(std::move(xs)), y(std::move(ys)), m(x.size(), 0.0) {
        if (x.size() < 3 || x.size() != y.size() || !std::is_sorted(x.begin(), x.end()))
            throw std::invalid_argument("a spline needs three sorted points");
        size_t n = x.size() - 1;
        std::vector<double> diagonal(n + 1, 1.0), right(n + 1, 0.0);
        // Thomas' algorithm for the second derivatives inside.
        for (size_t i = 1; i < n; i++) {
            double a = x[i] - x[i - 1], b = x[i + 1] - x[i];
            diagonal[i] = 2 * (a + b);
            right[i] = 6 * ((y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a);
            if (i > 1) {
                double factor = a / diagonal[i - 1];
                diagonal[i] -= factor * a;
                right[i] -= factor * right[i - 1];
            }
        }
        for (size_t i = n - 1; i > 0; i--)
            m[i] = (right[i] - (i + 1 < n ? (x[i + 1] - x[i]) * m[i + 1] : 0.0)) / diagonal[i];
    }
    double operator()(double at) const {
        auto [i, h, a, b] = place(at);
        return a * y[i] + b * y[i + 1] + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6;
    }
    double derivative(double at) const {
        auto [i, h, a, b] = place(at);
        return (y[i + 1] - y[i]) / h - (3 * a * a - 1) / 6 * h * m[i] + (3 * b * b - 1) / 6 * h * m[i + 1];
    }
    double integral() const {
        double sum = 0;
        for (size_t i = 0; i + 1 < x.size(); i++) {
            double h = x[i + 1] - x[i];
            sum += h * (y[i] + y[i + 1]) / 2 - h * h * h * (m[i] + m[i + 1]) / 24;
        }
        return sum;
    }

private:
    std::vector<double> x, y, m;
    std::tuple<size_t, double, double, double> place(double at) const {
        size_t i = static_cast<size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
        i = std::clamp<size_t>(i, 1, x.size() - 1) - 1;
        double h = x[i + 1] - x[i];
        return {i, h, (x[i + 1] - at) / h, (at - x[i]) / h};
    }
};

// ---- an orbit by leapfrog, and how its end depends on its start and on the masses ----

struct Orbit {
    double x[2], v[2];
};

static double miss(const Orbit *start, const double *mass, const double *target, int steps) {
    Vec<2> x{{start->x[0], start->x[1]}}, v{{start->v[0], start->v[1]}};
    const Vec<2> second{{1.5, 0.5}};
    auto pull = [&](const Vec<2> &at) {
        Vec<2> sum{};
        for (int k = 0; k < 2; k++) {
            Vec<2> d = (k ? second : Vec<2>{}) - at;
            double r = d.norm();
            sum += mass[k] / (r * r * r) * d;
        }
        return sum;
    };
    double h = 2.0 / steps;
    for (int k = 0; k < steps; k++) {
        v += 0.5 * h * pull(x);
        x += h * v;
        v += 0.5 * h * pull(x);
    }
    double dx = x[0] - target[0], dy = x[1] - target[1];
    return dx * dx + dy * dy;
}

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::printf("%-8s %s\n", holds ? "ok" : "FAILED", what.c_str());
    failures += !holds;
}

template <size_t N> void measure_order(Method<N> &method, const Problem<N> &p, int steps) {
    double coarse = (method.integrate(p, steps) - p.exact(p.end)).norm(), fine = (method.integrate(p, 2 * steps) - p.exact(p.end)).norm();
    double order = std::log2(coarse / fine);
    std::printf("%-15s %-11s order %.2f\n", method.name().c_str(), p.name.c_str(), order);
    expect(std::abs(order - method.order()) < 0.3, method.name() + " has its order");
}

static void shooting() {
    // Gradient descent on the start velocity, so that the orbit ends at the target.
    Orbit start{{1, 0}, {0, 0.9}}, gradient{};
    double mass[2] = {1, 0.3}, dmass[2] = {}, target[2] = {-0.6, 0.8};
    __enzyme_autodiff<void>((void *)miss, enzyme_dup, &start, &gradient, enzyme_dup, mass, dmass, enzyme_const, target, enzyme_const, 40);
    double h = 1e-6;
    Orbit up = start, down = start;
    up.v[0] += h;
    down.v[0] -= h;
    double quotient = (miss(&up, mass, target, 40) - miss(&down, mass, target, 40)) / (2 * h);
    std::printf("d miss / dv = (%.10f, %.10f), / dmass = (%.10f, %.10f)\n", gradient.v[0], gradient.v[1], dmass[0], dmass[1]);
    expect(std::abs(quotient - gradient.v[0]) < 1e-6 * (1 + std::abs(quotient)), "the sensitivity is the difference quotient");
    double before = miss(&start, mass, target, 40), now = before;
    for (int round = 0; round < 8; round++) {
        Orbit g{};
        double unused[2] = {};
        __enzyme_autodiff<void>((void *)miss, enzyme_dup, &start, &g, enzyme_dup, mass, unused, enzyme_const, target, enzyme_const, 40);
        double rate = 0.1;
        Orbit next = start;
        do {
            rate /= 2;
            next.v[0] = start.v[0] - rate * g.v[0];
            next.v[1] = start.v[1] - rate * g.v[1];
        } while (miss(&next, mass, target, 40) > now && rate > 1e-9);
        start = next;
        now = miss(&start, mass, target, 40);
    }
    std::printf("miss %.6f -> %.6f\n", before, now);
    expect(now < 0.5 * before, "shooting comes nearer");
}

int main() {
    for (const Tableau &tableau : tableaux()) {
        expect(tableau.consistent(), tableau.name + " is consistent");
        Explicit<1> method(tableau);
        measure_order(method, forced(), 20);
        Explicit<2> pair(tableau);
        measure_order(pair, oscillator(), 24);
    }
    for (int steps = 1; steps <= 4; steps++) {
        Adams<2> method(steps);
        measure_order(method, oscillator(), 48);
    }
    try {
        Adams<1> none(5);
        expect(false, "too many steps");
    } catch (const std::invalid_argument &error) {
        expect(true, error.what());
    }
    std::vector<std::unique_ptr<Method<1>>> implicit;
    implicit.push_back(std::make_unique<Theta<1>>(1.0));
    implicit.push_back(std::make_unique<Theta<1>>(0.5));
    for (auto &method : implicit) {
        measure_order(*method, decay(), 16);
        double error = (method->integrate(stiff(), 10) - stiff().exact(1)).norm();
        std::printf("stiff by %s in 10 steps: %.2e\n", method->name().c_str(), error);
        expect(error < 1e-2, "large steps are stable");
    }
    expect(Explicit<1>(tableaux()[4]).integrate(stiff(), 10).norm() > 1e3, "which explicit ones are not");

    Solution<2> solution = adaptive(oscillator(), 1e-6);
    double worst = 0;
    for (int k = 0; k <= 30; k++)
        worst = std::max(worst, (solution.at(0.1 * k) - oscillator().exact(0.1 * k)).norm());
    std::printf("adaptive: %zu steps, %d rejected, worst error %.1e\n", solution.segments.size(), solution.rejected, worst);
    expect(worst < 1e-4, "dense output is as good as the steps");
    auto zero = event<2>(solution, [](const Vec<2> &y) { return y[0]; });
    expect(zero && std::abs(*zero - std::acos(0.0)) < 1e-5, "the event is found");
    expect(!event<2>(solution, [](const Vec<2> &y) { return y[0] + 2; }), "and none where there is none");
    int crossings = 0;
    for (const Segment<2> &s : solution.segments)
        crossings += (s.y0[1] < -0.5) != (s.y1[1] < -0.5);
    expect(crossings == 2, "the speed passes a half twice");
    Matrix<2> singular{{{1, 2}, {2, 4}}};
    try {
        solve(singular, Vec<2>{{1, 1}});
        expect(false, "a singular matrix");
    } catch (const std::domain_error &error) {
        expect(true, error.what());
    }
    try {
        solution.at(-1);
        expect(false, "a time before the start");
    } catch (const std::out_of_range &) {
        expect(true, "a time before the start is refused");
    }
    try {
        Problem<1> explosion{"explosion", [](double, const Vec<1> &y) { return Vec<1>{{y[0] * y[0]}}; }, {{1}}, 2, {}};
        adaptive(explosion, 1e-4);
        expect(false, "a solution that explodes");
    } catch (const std::runtime_error &error) {
        expect(true, std::string("a solution that explodes: ") + error.what());
    }

    std::vector<double> xs, ys;
    for (int k = 0; k <= 16; k++) {
        xs.push_back(0.1963495408493621 * k);
        ys.push_back(std::sin(xs.back()));
    }
    Spline spline(xs, ys);
    double value = 0, slope = 0;
    for (double t = 0.05; t < 3.1; t += 0.13) {
        value = std::max(value, std::abs(spline(t) - std::sin(t)));
        slope = std::max(slope, std::abs(spline.derivative(t) - std::cos(t)));
    }
    std::printf("spline: value %.1e, slope %.1e, integral %.8f\n", value, slope, spline.integral());
    expect(value < 1e-4 && slope < 1e-2 && std::abs(spline.integral() - 2) < 1e-4, "the spline follows the sine");
    try {
        Spline({0, 1}, {0, 1});
        expect(false, "too few points");
    } catch (const std::invalid_argument &error) {
        expect(true, error.what());
    }
    shooting();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
