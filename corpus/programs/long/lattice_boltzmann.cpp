// Lattice Boltzmann flow in two dimensions: lattices and collision rules as templates, walls and moving lids by bounce-back, a channel
// with its parabola, a decaying vortex that measures viscosity, a cavity, forces on an obstacle, and the sensitivity to viscosity.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// ---- the lattice ----

struct D2Q9 {
    static constexpr int directions = 9;
    static constexpr std::array<int, 9> cx{0, 1, 0, -1, 0, 1, -1, -1, 1};
    static constexpr std::array<int, 9> cy{0, 0, 1, 0, -1, 1, 1, -1, -1};
    static constexpr std::array<double, 9> weight{4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                  1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    static constexpr std::array<int, 9> opposite{0, 3, 4, 1, 2, 7, 8, 5, 6};
    static constexpr double sound2 = 1.0 / 3;

    // What the derivation needs of weights and velocities.
    static bool isotropic() {
        double sum = 0, xx = 0, xy = 0, xxyy = 0;
        for (size_t q = 0; q < directions; q++) {
            sum += weight[q];
            xx += weight[q] * cx[q] * cx[q];
            xy += weight[q] * cx[q] * cy[q];
            xxyy += weight[q] * cx[q] * cx[q] * cy[q] * cy[q];
            if (cx[q] != -cx[static_cast<size_t>(opposite[q])] || cy[q] != -cy[static_cast<size_t>(opposite[q])])
                return false;
        }
        return std::abs(sum - 1) < 1e-15 && std::abs(xx - sound2) < 1e-15 && std::abs(xy) < 1e-15 && std::abs(xxyy - sound2 * sound2) < 1e-15;
    }
};

struct Macro {
    double density = 1, u = 0, v = 0;
};

template <class L> using Populations = std::array<double, L::directions>;

template <class L> Populations<L> equilibrium(const Macro &m) {
    Populations<L> f;
    double square = m.u * m.u + m.v * m.v;
    for (size_t q = 0; q < f.size(); q++) {
        double cu = (L::cx[q] * m.u + L::cy[q] * m.v) / L::sound2;
        f[q] = L::weight[q] * m.density * (1 + cu + 0.5 * cu * cu - 0.5 * square / L::sound2);
    }
    return f;
}

template <class L> Macro moments(const Populations<L> &f) {
    Macro m;
    m.density = std::accumulate(f.begin(), f.end(), 0.0);
    for (size_t q = 0; q < f.size(); q++) {
        m.u += f[q] * L::cx[q];
        m.v += f[q] * L::cy[q];
    }
    m.u /= m.density;
    m.v /= m.density;
    return m;
}

// ---- collision rules ----

template <class L> class SingleTime {
public:
    explicit SingleTime(double viscosity) : omega(1 / (viscosity / L::sound2 + 0.5)) {
        if (viscosity <= 0)
            throw std::domain_error("viscosity must be positive");
    }
    static const char *name() { return "one relaxation time"; }
    void operator()(Populations<L> &f) const {
        Populations<L> e = equilibrium<L>(moments<L>(f));
        for (size_t q = 0; q < f.size(); q++)
            f[q] += omega * (e[q] - f[q]);
    }

private:
    double omega;
};

// Even and odd parts relax with their own times; the second is chosen so that walls lie in the middle between cells.
template <class L> class TwoTimes {
public:
    explicit TwoTimes(double viscosity) {
        double plus = viscosity / L::sound2;
        even = 1 / (plus + 0.5);
        odd = 1 / (3.0 / 16 / plus + 0.5);
    }
    static const char *name() { return "two relaxation times"; }
    void operator()(Populations<L> &f) const {
        Populations<L> e = equilibrium<L>(moments<L>(f)), old = f;
        for (size_t q = 0; q < f.size(); q++) {
            size_t o = static_cast<size_t>(L::opposite[q]);
            f[q] -= even * 0.5 * (old[q] + old[o] - e[q] - e[o]) + odd * 0.5 * (old[q] - old[o] - e[q] + e[o]);
        }
    }

private:
    double even, odd;
};

// ---- the domain ----

enum class Cell : uint8_t { Fluid, Wall, Lid };

template <class L, class Collision> class Domain {
public:
    Domain(int width, int height, Collision collision)
        : width(width), height(height), collide(collision), cells(static_cast<size_t>(width * height), Cell::Fluid), f(cells.size()), next(cells.size()) {
        initialise([](int, int) { return Macro{}; });
    }

    double lid_speed = 0, force_x = 0;
    double drag_x = 0, drag_y = 0; // momentum given to walls in the last step

    size_t at(int x, int y) const { return static_cast<size_t>((x + width) % width + width * ((y + height) % height)); }
    void set(int x, int y, Cell c) { cells[at(x, y)] = c; }
    Cell get(int x, int y) const { return cells[at(x, y)]; }
    void initialise(const std::function<Macro(int, int)> &profile) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                f[at(x, y)] = equilibrium<L>(profile(x, y));
    }
    Macro macro(int x, int y) const {
        Macro m = moments<L>(f[at(x, y)]);
        m.u += 0.5 * force_x / m.density;
        return m;
    }
    double mass() const {
        double sum = 0;
        for (size_t k = 0; k < cells.size(); k++)
            if (cells[k] == Cell::Fluid)
                sum += std::accumulate(f[k].begin(), f[k].end(), 0.0);
        return sum;
    }

    void step() {
        drag_x = drag_y = 0;
        for (size_t k = 0; k < cells.size(); k++)
            if (cells[k] == Cell::Fluid) {
                collide(f[k]);
                if (force_x != 0)
                    for (size_t q = 0; q < L::directions; q++)
                        f[k][q] += L::weight[q] * L::cx[q] * force_x / L::sound2;
            }
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (cells[at(x, y)] == Cell::Fluid)
                    stream(x, y);
        f.swap(next);
    }

    int columns() const { return width; }
    int rows() const { return height; }

    // The state as text, from which a run goes on to the last bit.
    void save(std::ostream &out) const {
        out << width << ' ' << height << '\n' << std::setprecision(17);
        for (const Populations<L> &p : f) {
            for (double value : p)
                out << value << ' ';
            out << '\n';
        }
    }
    void load(std::istream &in) {
        int w = 0, h = 0;
        if (!(in >> w >> h) || w != width || h != height)
            throw std::runtime_error("a state of another size");
        std::vector<Populations<L>> loaded(f.size());
        for (Populations<L> &p : loaded)
            for (double &value : p)
                if (!(in >> value))
                    throw std::runtime_error("the state ends early");
        f = std::move(loaded);
    }

private:
    int width, height;
    Collision collide;
    std::vector<Cell> cells;
    std::vector<Populations<L>> f, next;

    void stream(int x, int y) {
        const Populations<L> &here = f[at(x, y)];
        for (size_t q = 0; q < L::directions; q++) {
            size_t target = at(x + L::cx[q], y + L::cy[q]), back = static_cast<size_t>(L::opposite[q]);
            if (cells[target] == Cell::Fluid) {
                next[target][q] = here[q];
                continue;
            }
            double reflected = here[q];
            if (cells[target] == Cell::Lid)
                reflected -= 2 * L::weight[q] * L::cx[q] * lid_speed / L::sound2;
            next[at(x, y)][back] = reflected;
            drag_x += (here[q] + reflected) * L::cx[q];
            drag_y += (here[q] + reflected) * L::cy[q];
        }
    }
};

// ---- scenes drawn with letters: # wall, = lid, . fluid ----

template <class Collision> std::unique_ptr<Domain<D2Q9, Collision>> draw(const std::string &picture, Collision collision) {
    std::vector<std::string> rows;
    std::istringstream lines(picture);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            rows.push_back(line);
    if (rows.empty())
        throw std::invalid_argument("an empty picture");
    size_t width = rows.front().size();
    auto domain = std::make_unique<Domain<D2Q9, Collision>>(static_cast<int>(width), static_cast<int>(rows.size()), collision);
    for (size_t r = 0; r < rows.size(); r++) {
        if (rows[r].size() != width)
            throw std::invalid_argument("row " + std::to_string(r + 1) + " has another width");
        for (size_t c = 0; c < width; c++) {
            int x = static_cast<int>(c), y = static_cast<int>(rows.size() - 1 - r);
            switch (rows[r][c]) {
            case '.': break;
            case '#': domain->set(x, y, Cell::Wall); break;
            case '=': domain->set(x, y, Cell::Lid); break;
            default: throw std::invalid_argument(std::string("unknown cell '") + rows[r][c] + "'");
            }
        }
    }
    return domain;
}

// ---- particles that drift with the flow, by Heun's method and bilinear interpolation ----

struct Particle {
    double x, y;
    std::vector<std::pair<double, double>> trail;
};

template <class D> Macro interpolate(const D &domain, double x, double y) {
    int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    double a = x - x0, b = y - y0;
    Macro sum{0, 0, 0};
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            double w = (dx ? a : 1 - a) * (dy ? b : 1 - b);
            if (domain.get(x0 + dx, y0 + dy) != Cell::Fluid)
                continue; // walls rest
            Macro m = domain.macro(x0 + dx, y0 + dy);
            sum.density += w * m.density;
            sum.u += w * m.u;
            sum.v += w * m.v;
        }
    return sum;
}

template <class D> void drift(const D &domain, std::vector<Particle> &particles, double dt) {
    for (Particle &p : particles) {
        Macro here = interpolate(domain, p.x, p.y), there = interpolate(domain, p.x + dt * here.u, p.y + dt * here.v);
        p.x += 0.5 * dt * (here.u + there.u);
        p.y += 0.5 * dt * (here.v + there.v);
        p.x = std::fmod(p.x + domain.columns(), domain.columns());
        p.trail.emplace_back(p.x, p.y);
    }
}

// ---- the sensitivity: a shear wave in one dimension, whose decay depends on viscosity and on its amplitude ----

enum { COLUMN = 12 };

static double wave_energy(double viscosity, double amplitude, int steps) {
    double f[COLUMN][9], g[COLUMN][9];
    double omega = 1 / (3 * viscosity + 0.5);
    for (int y = 0; y < COLUMN; y++) {
        Populations<D2Q9> e = equilibrium<D2Q9>({1, amplitude * std::sin(2 * M_PI * y / COLUMN), 0});
        for (size_t q = 0; q < 9; q++)
            f[y][q] = e[q];
    }
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < COLUMN; y++) {
            double density = 0, u = 0, v = 0;
            for (size_t q = 0; q < 9; q++) {
                density += f[y][q];
                u += f[y][q] * D2Q9::cx[q];
                v += f[y][q] * D2Q9::cy[q];
            }
            Populations<D2Q9> e = equilibrium<D2Q9>({density, u / density, v / density});
            for (size_t q = 0; q < 9; q++)
                g[(y + D2Q9::cy[q] + COLUMN) % COLUMN][q] = f[y][q] + omega * (e[q] - f[y][q]);
        }
        std::copy(&g[0][0], &g[0][0] + COLUMN * 9, &f[0][0]);
    }
    double energy = 0;
    for (int y = 0; y < COLUMN; y++) {
        double u = 0;
        for (size_t q = 0; q < 9; q++)
            u += f[y][q] * D2Q9::cx[q];
        energy += u * u;
    }
    return energy;
}

struct Pair {
    double viscosity, amplitude;
};

// ---- the program ----

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "  ok      " : "  FAILED  ") << what << std::endl;
    failures += !holds;
}

template <class Collision> void channel() {
    constexpr int height = 7;
    const double viscosity = 0.2, force = 1e-4;
    Domain<D2Q9, Collision> d(1, height, Collision(viscosity));
    d.set(0, 0, Cell::Wall);
    d.set(0, height - 1, Cell::Wall);
    d.force_x = force;
    double before = d.mass();
    for (int k = 0; k < 130; k++)
        d.step();
    double worst = 0, middle = height / 2, half = (height - 2) / 2.0;
    for (int y = 1; y + 1 < height; y++) {
        double exact = force / (2 * viscosity) * (half * half - (y - middle) * (y - middle));
        worst = std::max(worst, std::abs(d.macro(0, y).u - exact));
    }
    double peak = force / (2 * viscosity) * half * half;
    std::cout << "channel, " << Collision::name() << ": peak " << std::setprecision(8) << d.macro(0, height / 2).u << ", exact " << peak
              << ", worst error " << std::setprecision(3) << worst / peak << '\n';
    expect(worst < 0.05 * peak, "the profile is a parabola");
    expect(std::abs(d.mass() - before) < 1e-9, "mass is conserved");
    // In the steady state the walls take up what the force gives.
    expect(std::abs(d.drag_x - force * (height - 2)) < 0.1 * force * (height - 2), "forces balance");
}

static void vortex() {
    constexpr int n = 8;
    const double viscosity = 0.1, speed = 0.02, k = 2 * M_PI / n;
    using Collision = SingleTime<D2Q9>;
    Domain<D2Q9, Collision> d(n, n, Collision(viscosity));
    d.initialise([&](int x, int y) {
        return Macro{1 - 0.75 * speed * speed * (std::cos(2 * k * x) + std::cos(2 * k * y)), -speed * std::cos(k * x) * std::sin(k * y),
                     speed * std::sin(k * x) * std::cos(k * y)};
    });
    auto energy = [&] {
        double sum = 0;
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                Macro m = d.macro(x, y);
                sum += m.u * m.u + m.v * m.v;
            }
        return sum;
    };
    double first = energy();
    constexpr int steps = 10;
    for (int s = 0; s < steps; s++)
        d.step();
    double measured = std::log(first / energy()) / (4 * k * k * steps);
    std::printf("vortex: viscosity %.6f measured, %.6f set\n", measured, viscosity);
    expect(std::abs(measured - viscosity) < 0.1 * viscosity, "viscosity is what was set");
}

static void cavity() {
    constexpr int n = 9;
    using Collision = TwoTimes<D2Q9>;
    Domain<D2Q9, Collision> d(n, n, Collision(0.1));
    for (int k = 0; k < n; k++) {
        d.set(k, 0, Cell::Wall);
        d.set(0, k, Cell::Wall);
        d.set(n - 1, k, Cell::Wall);
    }
    for (int k = 0; k < n; k++)
        d.set(k, n - 1, Cell::Lid);
    d.lid_speed = 0.05;
    double before = d.mass();
    for (int s = 0; s < 30; s++)
        d.step();
    std::ostringstream picture;
    double circulation = 0;
    for (int y = n - 2; y > 0; y--) {
        picture << "    ";
        for (int x = 1; x + 1 < n; x++) {
            Macro m = d.macro(x, y);
            static const std::string arrows = ">/^\\<v";
            double speed = std::hypot(m.u, m.v);
            char c = speed < 1e-3 ? '.' : std::abs(m.u) > std::abs(m.v) ? (m.u > 0 ? arrows[0] : arrows[4]) : (m.v > 0 ? arrows[2] : arrows[5]);
            picture << c;
            circulation += m.u * (y - (n - 1) / 2.0) - m.v * (x - (n - 1) / 2.0);
        }
        picture << '\n';
    }
    std::cout << "cavity:\n" << picture.str();
    expect(circulation > 0, "the lid turns the fluid clockwise");
    expect(d.macro(n / 2, n - 2).u > 0.01 && d.macro(n / 2, 3).u < 0, "forth at the lid and back below");
    expect(std::abs(d.mass() - before) < 1e-9, "mass is conserved");
}

static void obstacle() {
    constexpr int width = 10, height = 7;
    using Collision = SingleTime<D2Q9>;
    auto drag = [&](bool slab) {
        Domain<D2Q9, Collision> d(width, height, Collision(0.15));
        if (slab)
            for (int y = 2; y < 5; y++)
                d.set(5, y, Cell::Wall);
        d.initialise([](int, int) { return Macro{1, 0.05, 0}; });
        double sum = 0, lift = 0;
        for (int s = 0; s < 8; s++) {
            d.step();
            sum += d.drag_x;
            lift = std::max(lift, std::abs(d.drag_y));
        }
        expect(lift < 1e-12, slab ? "a symmetric obstacle has no lift" : "no walls, no forces");
        return sum;
    };
    double with = drag(true), without = drag(false);
    std::printf("obstacle: impulse %.8f with, %.8f without\n", with, without);
    expect(with > 0.1 && without == 0, "an obstacle has drag");
}

static void particles() {
    // A pipe with a narrow place: what flows in must flow faster there.
    auto d = draw("##############\n..............\n.....####.....\n..............\n..............\n.....####.....\n..............\n##############\n",
                  TwoTimes<D2Q9>(0.2));
    d->force_x = 1e-3;
    std::vector<Particle> swarm;
    for (int k = 0; k < 4; k++)
        swarm.push_back({1.0, k < 2 ? 1.5 + 1.25 * k : 1.75 + 1.25 * k, {}});
    std::stringstream middle;
    for (int s = 0; s < 24; s++) {
        if (s == 16)
            d->save(middle);
        d->step();
        if (s % 4 == 3)
            drift(*d, swarm, 4);
    }
    for (const Particle &p : swarm)
        std::printf("    particle at (%.6f, %.6f) after %zu steps\n", p.x, p.y, p.trail.size());
    expect(std::all_of(swarm.begin(), swarm.end(), [](const Particle &p) { return p.x > 1.0 && p.y > 0 && p.y < 7; }), "particles move on and stay inside");
    expect(std::abs(swarm[1].x - swarm[2].x) < 1e-9, "the flow is symmetric");
    expect(d->macro(6, 3).u > d->macro(0, 3).u, "and faster where it is narrow");

    double u = d->macro(3, 3).u;
    d->load(middle);
    for (int s = 16; s < 24; s++)
        d->step();
    expect(d->macro(3, 3).u == u, "a run goes on from a saved state to the last bit");
    for (std::string broken : {"3 3\n", "14 8\n0.1 0.2"}) {
        std::istringstream in(broken);
        try {
            d->load(in);
            expect(false, "a broken state");
        } catch (const std::runtime_error &error) {
            expect(d->macro(3, 3).u == u, std::string("refused: ") + error.what());
        }
    }
    for (std::string bad : {"", "..\n...\n", "..\n.x\n"}) {
        try {
            draw(bad, TwoTimes<D2Q9>(0.1));
            expect(false, "a bad picture");
        } catch (const std::invalid_argument &error) {
            expect(true, std::string("refused: ") + error.what());
        }
    }
}

static void sensitivity() {
    const double viscosity = 0.08, amplitude = 0.03;
    Pair g = __enzyme_autodiff<Pair>((void *)wave_energy, enzyme_out, viscosity, enzyme_out, amplitude, enzyme_const, 10);
    double h = 1e-6;
    double dv = (wave_energy(viscosity + h, amplitude, 10) - wave_energy(viscosity - h, amplitude, 10)) / (2 * h);
    double da = (wave_energy(viscosity, amplitude + h, 10) - wave_energy(viscosity, amplitude - h, 10)) / (2 * h);
    std::printf("d energy / d viscosity = %.10f, / d amplitude = %.10f\n", g.viscosity, g.amplitude);
    expect(std::abs(g.viscosity - dv) < 1e-7 && std::abs(g.amplitude - da) < 1e-7, "they are the difference quotients");
    // Energy falls as exp(-2 nu k^2 t): so does its logarithm's derivative.
    double k = 2 * M_PI / COLUMN, relative = g.viscosity / wave_energy(viscosity, amplitude, 10);
    expect(std::abs(relative + 2 * k * k * 10) < 0.1 * 2 * k * k * 10, "and nearly those of theory");
}

int main() {
    expect(D2Q9::isotropic(), "the lattice is isotropic");
    Macro m{1.1, 0.05, -0.02}, back = moments<D2Q9>(equilibrium<D2Q9>(m));
    expect(std::abs(back.density - m.density) + std::abs(back.u - m.u) + std::abs(back.v - m.v) < 1e-14, "equilibrium has its moments");
    channel<SingleTime<D2Q9>>();
    channel<TwoTimes<D2Q9>>();
    vortex();
    cavity();
    obstacle();
    particles();
    sensitivity();
    try {
        SingleTime<D2Q9> bad(-1);
        expect(false, "negative viscosity");
    } catch (const std::domain_error &error) {
        expect(true, error.what());
    }
    std::cout << failures << " failures\n";
    return failures != 0;
}
