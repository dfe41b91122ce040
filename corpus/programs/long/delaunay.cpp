// A geometry kernel: exact orientation and in-circle tests by expansion arithmetic behind a floating-point filter, convex hulls by two
// methods, Delaunay triangulation by insertion and flips, Voronoi cells, point location by walking, and a minimum spanning tree.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Point {
    double x = 0, y = 0;
    friend bool operator==(const Point &a, const Point &b) { return a.x == b.x && a.y == b.y; }
    friend bool operator<(const Point &a, const Point &b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
};

static double distance(const Point &a, const Point &b) { return std::hypot(a.x - b.x, a.y - b.y); }

// ---- exact arithmetic: sums of doubles that do not overlap, smallest first (Shewchuk) ----

class Expansion {
public:
    Expansion() = default;
    Expansion(double x) {
        if (x != 0)
            parts.push_back(x);
    }
    static Expansion difference(double a, double b) {
        double d = a - b, bv = a - d, av = d + bv;
        Expansion e;
        e.append((a - av) + (bv - b));
        e.append(d);
        return e;
    }
    friend Expansion operator+(const Expansion &a, const Expansion &b) {
        Expansion sum = a;
        for (double x : b.parts)
            sum.grow(x);
        return sum;
    }
    friend Expansion operator-(Expansion a) {
        for (double &x : a.parts)
            x = -x;
        return a;
    }
    friend Expansion operator-(const Expansion &a, const Expansion &b) { return a + -b; }
    friend Expansion operator*(const Expansion &a, const Expansion &b) {
        Expansion product;
        for (double x : a.parts)
            for (double y : b.parts) {
                double high = x * y;
                product.grow(std::fma(x, y, -high));
                product.grow(high);
            }
        return product;
    }
    int sign() const { return parts.empty() ? 0 : parts.back() > 0 ? 1 : -1; }
    size_t size() const { return parts.size(); }

private:
    std::vector<double> parts;
    void append(double x) {
        if (x != 0)
            parts.push_back(x);
    }
    void grow(double x) {
        std::vector<double> next;
        next.reserve(parts.size() + 1);
        for (double p : parts) {
            double s = x + p, pv = s - x, error = (x - (s - pv)) + (p - pv);
            if (error != 0)
                next.push_back(error);
            x = s;
        }
        if (x != 0)
            next.push_back(x);
        parts.swap(next);
    }
};

struct Predicates {
    long filtered = 0, exact = 0;

    // Positive if the three points turn left.
    int orient(const Point &a, const Point &b, const Point &c) {
        double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), det = left - right;
        double bound = 3.4e-16 * (std::abs(left) + std::abs(right));
        if (std::abs(det) > bound) {
            filtered++;
            return det > 0 ? 1 : -1;
        }
        exact++;
        using E = Expansion;
        return (E::difference(a.x, c.x) * E::difference(b.y, c.y) - E::difference(a.y, c.y) * E::difference(b.x, c.x)).sign();
    }
    // Positive if d lies inside the circle through a, b, c, which turn left.
    int in_circle(const Point &a, const Point &b, const Point &c, const Point &d) {
        double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
        double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
        double det = a2 * (bx * cy - by * cx) + b2 * (cx * ay - cy * ax) + c2 * (ax * by - ay * bx);
        double size = a2 * (std::abs(bx * cy) + std::abs(by * cx)) + b2 * (std::abs(cx * ay) + std::abs(cy * ax)) +
                      c2 * (std::abs(ax * by) + std::abs(ay * bx));
        if (std::abs(det) > 1.2e-15 * size) {
            filtered++;
            return det > 0 ? 1 : -1;
        }
        exact++;
        using E = Expansion;
        E eax = E::difference(a.x, d.x), eay = E::difference(a.y, d.y), ebx = E::difference(b.x, d.x), eby = E::difference(b.y, d.y),
          ecx = E::difference(c.x, d.x), ecy = E::difference(c.y, d.y);
        return ((eax * eax + eay * eay) * (ebx * ecy - eby * ecx) + (ebx * ebx + eby * eby) * (ecx * eay - ecy * eax) +
                (ecx * ecx + ecy * ecy) * (eax * eby - eay * ebx))
            .sign();
    }
};

// ---- convex hulls, counter-clockwise, without points inside edges ----

static std::vector<Point> monotone_chain(std::vector<Point> points, Predicates &test) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3)
        return points;
    std::vector<Point> hull;
    auto half = [&](auto begin, auto end) {
        size_t start = hull.size();
        for (auto p = begin; p != end; ++p) {
            while (hull.size() >= start + 2 && test.orient(hull[hull.size() - 2], hull.back(), *p) <= 0)
                hull.pop_back();
            hull.push_back(*p);
        }
        hull.pop_back();
    };
    half(points.begin(), points.end());
    half(points.rbegin(), points.rend());
    return hull;
}

static std::vector<Point> gift_wrapping(const std::vector<Point> &points, Predicates &test) {
    std::vector<Point> hull;
    Point start = *std::min_element(points.begin(), points.end()), now = start;
    do {
        hull.push_back(now);
        Point next = points[0] == now ? points[1] : points[0];
        for (const Point &p : points) {
            int turn = test.orient(now, next, p);
            if (turn < 0 || (turn == 0 && distance(now, p) > distance(now, next)))
                next = p;
        }
        now = next;
    } while (!(now == start) && hull.size() <= points.size());
    return hull;
}

static double area(const std::vector<Point> &polygon) {
    double sum = 0;
    for (size_t i = 0; i < polygon.size(); i++) {
        const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum / 2;
}

// The greatest distance and the least width, by calipers that turn around the hull.
static std::pair<double, double> calipers(const std::vector<Point> &hull) {
    size_t n = hull.size(), far = 1;
    double diameter = 0, width = std::numeric_limits<double>::infinity();
    auto height = [&](size_t edge, size_t p) {
        const Point &a = hull[edge], &b = hull[(edge + 1) % n], &c = hull[p];
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    for (size_t i = 0; i < n; i++) {
        while (height(i, (far + 1) % n) > height(i, far))
            far = (far + 1) % n;
        diameter = std::max({diameter, distance(hull[i], hull[far]), distance(hull[(i + 1) % n], hull[far])});
        width = std::min(width, height(i, far) / distance(hull[i], hull[(i + 1) % n]));
    }
    return {diameter, width};
}

static double farthest_pair(const std::vector<Point> &points) {
    double most = 0;
    for (const Point &a : points)
        for (const Point &b : points)
            most = std::max(most, distance(a, b));
    return most;
}

// ---- Delaunay triangulation ----

struct Triangle {
    std::array<int, 3> corner;       // counter-clockwise
    std::array<int, 3> neighbour;    // across the edge opposite to the corner, or -1
    bool alive = true;
};

class Triangulation {
public:
    explicit Triangulation(std::vector<Point> input) : points(std::move(input)), count(static_cast<int>(points.size())) {
        if (count < 3)
            throw std::invalid_argument("a triangulation needs three points");
        double reach = 1;
        for (const Point &p : points)
            reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
        // A triangle around everything, whose corners are removed at the end.
        double far = 1e4 * reach;
        points.push_back({-far, -far});
        points.push_back({far, -far});
        points.push_back({0, far});
        triangles.push_back({{count, count + 1, count + 2}, {-1, -1, -1}, true});
        for (int p = 0; p < count; p++)
            insert(p);
    }

    Predicates test;
    long walked = 0, flips = 0;

    // The finished triangles, without those at the far corners.
    std::vector<std::array<int, 3>> result() const {
        std::vector<std::array<int, 3>> list;
        for (const Triangle &t : triangles)
            if (t.alive && std::all_of(t.corner.begin(), t.corner.end(), [this](int c) { return c < count; }))
                list.push_back(t.corner);
        return list;
    }
    const Point &operator[](int p) const { return points[static_cast<size_t>(p)]; }
    int size() const { return count; }

    // The triangle that holds a point: walk towards it.
    int locate(const Point &p) {
        int now = last;
        for (size_t guard = 0; guard < 4 * triangles.size() + 10; guard++) {
            walked++;
            const Triangle &t = triangles[static_cast<size_t>(now)];
            int next = -1;
            for (int k = 0; k < 3 && next < 0; k++)
                if (test.orient((*this)[t.corner[static_cast<size_t>((k + 1) % 3)]], (*this)[t.corner[static_cast<size_t>((k + 2) % 3)]], p) < 0)
                    next = t.neighbour[static_cast<size_t>(k)];
            if (next < 0)
                return last = now;
            now = next;
        }
        throw std::logic_error("a walk does not end");
    }
    const Triangle &triangle(int t) const { return triangles[static_cast<size_t>(t)]; }

private:
    std::vector<Point> points;
    int count;
    std::vector<Triangle> triangles;
    int last = 0;

    Triangle &at(int t) { return triangles[static_cast<size_t>(t)]; }
    int add(std::array<int, 3> corner, std::array<int, 3> neighbour) {
        triangles.push_back({corner, neighbour, true});
        return static_cast<int>(triangles.size()) - 1;
    }
    void replace_neighbour(int t, int from, int to) {
        if (t >= 0)
            std::replace(at(t).neighbour.begin(), at(t).neighbour.end(), from, to);
    }
    size_t place_of_neighbour(int t, int neighbour) {
        return static_cast<size_t>(std::find(at(t).neighbour.begin(), at(t).neighbour.end(), neighbour) - at(t).neighbour.begin());
    }
    void insert(int p) {
        int t = locate((*this)[p]);
        Triangle old = at(t);
        for (int c : old.corner)
            if ((*this)[c] == (*this)[p])
                throw std::invalid_argument("point " + std::to_string(p) + " twice");
        // Three triangles, one of them flat if the point lies on an edge; flips put that right.
        auto [a, b, c] = old.corner;
        auto [na, nb, nc] = old.neighbour;
        at(t) = {{p, b, c}, {na, -1, -1}, true};
        int u = add({p, c, a}, {nb, -1, -1}), v = add({p, a, b}, {nc, -1, -1});
        at(t).neighbour = {na, u, v};
        at(u).neighbour = {nb, v, t};
        at(v).neighbour = {nc, t, u};
        replace_neighbour(nb, t, u);
        replace_neighbour(nc, t, v);
        for (int piece : {t, u, v})
            legalise(piece, p);
    }
    // The edge opposite to p in a triangle is flipped if the corner beyond lies in the circle.
    void legalise(int t, int p) {
        size_t k = static_cast<size_t>(std::find(at(t).corner.begin(), at(t).corner.end(), p) - at(t).corner.begin());
        int o = at(t).neighbour[k];
        if (o < 0)
            return;
        int b = at(t).corner[(k + 1) % 3], c = at(t).corner[(k + 2) % 3];
        size_t m = place_of_neighbour(o, t);
        int d = at(o).corner[m];
        bool flat = test.orient((*this)[p], (*this)[b], (*this)[c]) == 0;
        if (!flat && test.in_circle((*this)[p], (*this)[b], (*this)[c], (*this)[d]) <= 0)
            return;
        flips++;
        int beside_b = at(o).neighbour[(m + 1) % 3], beside_c = at(o).neighbour[(m + 2) % 3]; // across d-b and c-d
        int keep_c = at(t).neighbour[(k + 1) % 3], keep_b = at(t).neighbour[(k + 2) % 3];     // across c-p and p-b
        at(t) = {{p, b, d}, {beside_b, o, keep_b}, true};
        at(o) = {{p, d, c}, {beside_c, keep_c, t}, true};
        replace_neighbour(beside_b, o, t);
        replace_neighbour(keep_c, t, o);
        legalise(t, p);
        legalise(o, p);
    }
};

// ---- what follows from a triangulation ----

static Point circumcentre(const Point &a, const Point &b, const Point &c) {
    double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y, d = 2 * (bx * cy - by * cx);
    double b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    return {a.x + (cy * b2 - by * c2) / d, a.y + (bx * c2 - cx * b2) / d};
}

using Edge = std::pair<int, int>;

static std::set<Edge> edges_of(const std::vector<std::array<int, 3>> &triangles) {
    std::set<Edge> edges;
    for (const auto &t : triangles)
        for (size_t k = 0; k < 3; k++)
            edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
    return edges;
}

class Forest {
public:
    explicit Forest(int n) : parent(static_cast<size_t>(n)) { std::iota(parent.begin(), parent.end(), 0); }
    int find(int x) {
        int &p = parent[static_cast<size_t>(x)];
        return p == x ? x : p = find(p);
    }
    bool join(int a, int b) {
        a = find(a), b = find(b);
        parent[static_cast<size_t>(a)] = b;
        return a != b;
    }

private:
    std::vector<int> parent;
};

// Kruskal's algorithm on any set of edges.
static double spanning_tree(int n, const std::set<Edge> &edges, const std::function<double(int, int)> &length) {
    auto longer = [&](const Edge &a, const Edge &b) { return length(a.first, a.second) > length(b.first, b.second); };
    std::priority_queue<Edge, std::vector<Edge>, decltype(longer)> queue(longer, {edges.begin(), edges.end()});
    Forest forest(n);
    double total = 0;
    for (; !queue.empty(); queue.pop()) {
        auto [a, b] = queue.top();
        if (forest.join(a, b))
            total += length(a, b);
    }
    return total;
}

// The areas of the Voronoi cells of points inside the hull.
static std::map<int, double> voronoi_areas(const Triangulation &t, const std::vector<std::array<int, 3>> &triangles) {
    std::map<int, std::vector<Point>> centres;
    std::map<Edge, int> uses;
    for (const auto &tri : triangles)
        for (size_t k = 0; k < 3; k++) {
            centres[tri[k]].push_back(circumcentre(t[tri[0]], t[tri[1]], t[tri[2]]));
            uses[std::minmax(tri[k], tri[(k + 1) % 3])]++;
        }
    for (const auto &[edge, count] : uses)
        if (count == 1) {
            centres.erase(edge.first);
            centres.erase(edge.second);
        }
    std::map<int, double> areas;
    for (auto &[p, corners] : centres) {
        const Point &site = t[p];
        std::sort(corners.begin(), corners.end(), [&](const Point &a, const Point &b) {
            return std::atan2(a.y - site.y, a.x - site.x) < std::atan2(b.y - site.y, b.x - site.x);
        });
        areas[p] = area(corners);
    }
    return areas;
}

// ---- the program ----

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::printf("  %-8s%s\n", holds ? "ok" : "FAILED", what.c_str());
    failures += !holds;
}

static uint64_t state = 7;
static double random_unit() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 40) / 16777216.0;
}

static bool empty_circles(const Triangulation &t, const std::vector<std::array<int, 3>> &triangles, Predicates &test) {
    for (const auto &tri : triangles) {
        if (test.orient(t[tri[0]], t[tri[1]], t[tri[2]]) <= 0)
            return false;
        for (int p = 0; p < t.size(); p++)
            if (test.in_circle(t[tri[0]], t[tri[1]], t[tri[2]], t[p]) > 0)
                return false;
    }
    return true;
}

static void study(const std::string &name, const std::vector<Point> &points) {
    Predicates test;
    std::vector<Point> hull = monotone_chain(points, test), wrapped = gift_wrapping(points, test);
    Triangulation t(points);
    auto triangles = t.result();
    auto edges = edges_of(triangles);
    double covered = 0;
    for (const auto &tri : triangles)
        covered += area({t[tri[0]], t[tri[1]], t[tri[2]]});
    std::printf("%s: %zu points, hull %zu, %zu triangles, %zu edges, %ld flips, %ld steps, %ld exact tests\n", name.c_str(), points.size(),
                hull.size(), triangles.size(), edges.size(), t.flips, t.walked, t.test.exact);
    expect(hull.size() == wrapped.size() && std::is_permutation(hull.begin(), hull.end(), wrapped.begin()), "both hulls are the same");
    auto [diameter, width] = calipers(hull);
    std::printf("  diameter %.9f, width %.9f\n", diameter, width);
    expect(diameter == farthest_pair(points) && width > 0 && width <= diameter, "calipers find the farthest pair");
    expect(std::abs(area(hull) - covered) < 1e-9 * (1 + covered), "the triangles fill the hull");
    expect(static_cast<int>(points.size()) - static_cast<int>(edges.size()) + static_cast<int>(triangles.size()) == 1, "Euler's formula");
    expect(empty_circles(t, triangles, test), "no point lies in a circle");
    std::set<Edge> all;
    for (int a = 0; a < t.size(); a++)
        for (int b = 0; b < a; b++)
            all.emplace(b, a);
    auto length = [&](int a, int b) { return distance(t[a], t[b]); };
    double tree = spanning_tree(t.size(), edges, length);
    std::printf("  spanning tree %.9f\n", tree);
    expect(std::abs(tree - spanning_tree(t.size(), all, length)) < 1e-9, "a shortest spanning tree lies in the triangulation");
    auto areas = voronoi_areas(t, triangles);
    expect(std::all_of(areas.begin(), areas.end(), [](const auto &entry) { return entry.second > 0; }), "Voronoi cells have areas");
}

int main() {
    std::vector<Point> scattered, grid, circle, line;
    for (int k = 0; k < 18; k++)
        scattered.push_back({random_unit(), random_unit()});
    for (int k = 0; k < 16; k++)
        grid.push_back({static_cast<double>(k % 4), static_cast<double>(k / 4)});
    for (int k = 0; k < 9; k++)
        circle.push_back({std::cos(k * 0.698), std::sin(k * 0.698)});
    circle.push_back({0.1, 0.05});
    study("scattered", scattered);
    study("grid", grid);
    study("circle", circle);

    Predicates test;
    Point a{0.5, 0.5}, b{12, 12}, c{24, 24};
    int exact = 0, naive = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            Point p{a.x + i * 0x1p-53, a.y + j * 0x1p-53};
            exact += test.orient(p, b, c) == (j > i ? 1 : j < i ? -1 : 0);
            double det = (p.x - c.x) * (b.y - c.y) - (p.y - c.y) * (b.x - c.x);
            naive += (det == 0) == (i == j);
        }
    std::printf("near a line: exact %d of 36, naive %d of 36\n", exact, naive);
    expect(exact == 36, "the exact test tells even neighbouring doubles apart");
    expect(test.in_circle({0, 0}, {1, 0}, {1, 1}, {0, 1}) == 0, "four points on a circle");
    expect(test.in_circle({0, 0}, {1, 0}, {1, 1}, {0x1p-60, 1 - 0x1p-53}) > 0, "and one just inside");

    Triangulation located(scattered);
    int inside = 0;
    for (int k = 0; k < 10; k++) {
        Point p{0.3 + 0.4 * random_unit(), 0.3 + 0.4 * random_unit()};
        const Triangle &t = located.triangle(located.locate(p));
        bool holds = true;
        for (size_t e = 0; e < 3; e++)
            holds = holds && test.orient(located[t.corner[e]], located[t.corner[(e + 1) % 3]], p) >= 0;
        inside += holds;
    }
    expect(inside == 10, "points are located");
    Expansion tiny(0x1p-80), one(1.0), sum = one + tiny;
    expect(sum.size() == 2 && (sum - one - tiny).sign() == 0 && (sum * sum - one).sign() > 0, "expansions keep what doubles lose");
    Forest forest(4);
    expect(forest.join(0, 1) && forest.join(2, 3) && !forest.join(1, 0) && forest.find(2) != forest.find(0), "sets are joined");
    Point centre = circumcentre({0, 0}, {4, 0}, {0, 2});
    expect(centre == Point{2, 1}, "the centre of a circle");
    expect(area({{0, 0}, {2, 0}, {2, 1}, {0, 1}}) == 2, "the area of a polygon");
    try {
        Triangulation twice({{0, 0}, {1, 0}, {0, 1}, {1, 0}});
        expect(false, "a point given twice");
    } catch (const std::invalid_argument &error) {
        expect(true, error.what());
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
