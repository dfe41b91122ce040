// A simulation configured by JSON: a parser and writer with positions in its errors, a scene of masses, springs and dampers built by name,
// integrators chosen by the configuration, probes, and the sensitivity of the final state to stiffness and damping.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace json {

class Error : public std::runtime_error {
public:
    Error(const std::string &what, int line, int column)
        : std::runtime_error("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what) {}
};

class Value;
using Array = std::vector<Value>;
using Object = std::map<std::string, Value>;

class Value {
public:
    Value() : data(nullptr) {}
    Value(bool b) : data(b) {}
    Value(double d) : data(d) {}
    Value(int i) : data(static_cast<double>(i)) {}
    Value(const char *s) : data(std::string(s)) {}
    Value(std::string s) : data(std::move(s)) {}
    Value(Array a) : data(std::make_shared<Array>(std::move(a))) {}
    Value(Object o) : data(std::make_shared<Object>(std::move(o))) {}

    bool null() const { return std::holds_alternative<std::nullptr_t>(data); }
    double number() const { return get<double>("a number"); }
    bool boolean() const { return get<bool>("a boolean"); }
    const std::string &string() const { return get<std::string>("a string"); }
    const Array &array() const { return *get<std::shared_ptr<Array>>("an array"); }
    const Object &object() const { return *get<std::shared_ptr<Object>>("an object"); }

    const Value &operator[](const std::string &key) const {
        auto found = object().find(key);
        if (found == object().end())
            throw std::out_of_range("there is no \"" + key + "\"");
        return found->second;
    }
    double number_or(const std::string &key, double fallback) const {
        auto found = object().find(key);
        return found == object().end() ? fallback : found->second.number();
    }
    void write(std::ostream &out, int indent = 0) const;

private:
    template <class T> const T &get(const char *expected) const {
        if (const T *value = std::get_if<T>(&data))
            return *value;
        throw std::invalid_argument(std::string("expected ") + expected + ", found " + kind());
    }
    const char *kind() const {
        static const std::array<const char *, 6> names{"null", "a boolean", "a number", "a string", "an array", "an object"};
        return names[data.index()];
    }
    std::variant<std::nullptr_t, bool, double, std::string, std::shared_ptr<Array>, std::shared_ptr<Object>> data;
};

static void write_string(std::ostream &out, const std::string &s) {
    out << '"';
    for (unsigned char c : s) {
        switch (c) {
        case '"': out << "\\\""; break;
        case '\\': out << "\\\\"; break;
        case '\n': out << "\\n"; break;
        case '\t': out << "\\t"; break;
        default:
            if (c < 0x20)
                out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(c) << std::dec << std::setfill(' ');
            else
                out << static_cast<char>(c);
        }
    }
    out << '"';
}

void Value::write(std::ostream &out, int indent) const {
    const std::string margin(static_cast<size_t>(indent) + 2, ' ');
    if (null()) {
        out << "null";
    } else if (const bool *b = std::get_if<bool>(&data)) {
        out << (*b ? "true" : "false");
    } else if (const double *d = std::get_if<double>(&data)) {
        out << *d;
    } else if (const std::string *s = std::get_if<std::string>(&data)) {
        write_string(out, *s);
    } else if (auto a = std::get_if<std::shared_ptr<Array>>(&data)) {
        out << '[';
        for (size_t i = 0; i < (*a)->size(); i++) {
            if (i)
                out << ", ";
            (**a)[i].write(out, indent + 2);
        }
        out << ']';
    } else {
        out << '{';
        bool first = true;
        for (const auto &[key, value] : object()) {
            out << (first ? "\n" : ",\n") << margin;
            first = false;
            write_string(out, key);
            out << ": ";
            value.write(out, indent + 2);
        }
        out << '\n' << margin.substr(2) << '}';
    }
}

class Parser {
public:
    explicit Parser(std::string text) : text(std::move(text)) {}
    Value document() {
        Value value = any(0);
        blanks();
        if (at < text.size())
            fail("something follows the document");
        return value;
    }

private:
    std::string text;
    size_t at = 0;

    [[noreturn]] void fail(const std::string &what) const {
        int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
        size_t start = text.rfind('\n', at ? at - 1 : 0);
        int column = static_cast<int>(start == std::string::npos ? at : at - start - 1) + 1;
        throw Error(what, line, column);
    }
    void blanks() {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
            at++;
    }
    char peek() {
        blanks();
        if (at == text.size())
            fail("unexpected end");
        return text[at];
    }
    void expect(char c) {
        if (peek() != c)
            fail(std::string("expected '") + c + "', found '" + text[at] + "'");
        at++;
    }
    bool take(char c) {
        if (peek() != c)
            return false;
        at++;
        return true;
    }
    Value any(int depth) {
        if (depth > 50)
            fail("nested too deeply");
        switch (peek()) {
        case '{': return object(depth);
        case '[': return array(depth);
        case '"': return Value(string());
        case 't': return word("true", Value(true));
        case 'f': return word("false", Value(false));
        case 'n': return word("null", Value());
        default: return Value(number());
        }
    }
    Value word(const std::string &expected, Value value) {
        if (text.compare(at, expected.size(), expected) != 0)
            fail("expected " + expected);
        at += expected.size();
        return value;
    }
    double number() {
        size_t end = text.find_first_not_of("+-0123456789.eE", at);
        std::string digits = text.substr(at, end == std::string::npos ? end : end - at);
        try {
            size_t used = 0;
            double value = std::stod(digits, &used);
            if (used != digits.size())
                fail("a malformed number");
            at += used;
            return value;
        } catch (const std::invalid_argument &) {
            fail("unexpected '" + text.substr(at, 1) + "'");
        } catch (const std::out_of_range &) {
            fail("a number out of range");
        }
    }
    std::string string() {
        expect('"');
        std::string result;
        while (at < text.size() && text[at] != '"') {
            char c = text[at++];
            if (c == '\n')
                fail("a string is not closed");
            if (c != '\\') {
                result += c;
                continue;
            }
            if (at == text.size())
                break;
            switch (c = text[at++]) {
            case 'n': result += '\n'; break;
            case 't': result += '\t'; break;
            case 'u':
                result += static_cast<char>(std::stoi(text.substr(at, 4), nullptr, 16));
                at += 4;
                break;
            default: result += c;
            }
        }
        if (at == text.size())
            fail("a string is not closed");
        at++;
        return result;
    }
    Value array(int depth) {
        expect('[');
        Array items;
        if (take(']'))
            return Value(std::move(items));
        do
            items.push_back(any(depth + 1));
        while (take(','));
        expect(']');
        return Value(std::move(items));
    }
    Value object(int depth) {
        expect('{');
        Object members;
        if (take('}'))
            return Value(std::move(members));
        do {
            if (peek() != '"')
                fail("a member needs a name");
            std::string key = string();
            expect(':');
            if (!members.emplace(key, any(depth + 1)).second)
                fail("\"" + key + "\" twice");
        } while (take(','));
        expect('}');
        return Value(std::move(members));
    }
};

static Value parse(const std::string &text) { return Parser(text).document(); }

} // namespace json

// ---- the model ----

struct Vec2 {
    double x = 0, y = 0;
    Vec2 &operator+=(const Vec2 &o) { return x += o.x, y += o.y, *this; }
    friend Vec2 operator+(Vec2 a, const Vec2 &b) { return a += b; }
    friend Vec2 operator-(const Vec2 &a, const Vec2 &b) { return {a.x - b.x, a.y - b.y}; }
    friend Vec2 operator*(double s, const Vec2 &a) { return {s * a.x, s * a.y}; }
    double dot(const Vec2 &o) const { return x * o.x + y * o.y; }
    double length() const { return std::hypot(x, y); }
};

struct Body {
    std::string name;
    double mass = 1;
    bool fixed = false;
    Vec2 position, velocity, force;
};

class Scene;

class Force {
public:
    virtual ~Force() = default;
    virtual void apply(std::vector<Body> &bodies) const = 0;
    virtual double energy(const std::vector<Body> &bodies) const = 0;
    virtual std::string describe() const = 0;
};

class Gravity final : public Force {
public:
    explicit Gravity(double g) : g(g) {}
    void apply(std::vector<Body> &bodies) const override {
        for (Body &b : bodies)
            b.force.y -= b.mass * g;
    }
    double energy(const std::vector<Body> &bodies) const override {
        double sum = 0;
        for (const Body &b : bodies)
            sum += b.fixed ? 0 : b.mass * g * b.position.y;
        return sum;
    }
    std::string describe() const override {
        std::ostringstream out;
        out << "gravity " << std::fixed << std::setprecision(2) << g;
        return out.str();
    }

private:
    double g;
};

class Spring final : public Force {
public:
    Spring(size_t a, size_t b, double stiffness, double damping, double rest)
        : a(a), b(b), stiffness(stiffness), damping(damping), rest(rest) {}
    void apply(std::vector<Body> &bodies) const override {
        Vec2 d = bodies[b].position - bodies[a].position;
        double length = d.length();
        Vec2 unit = (1 / length) * d;
        double closing = (bodies[b].velocity - bodies[a].velocity).dot(unit);
        double pull = stiffness * (length - rest) + damping * closing;
        bodies[a].force += pull * unit;
        bodies[b].force += -pull * unit;
    }
    double energy(const std::vector<Body> &bodies) const override {
        double stretch = (bodies[b].position - bodies[a].position).length() - rest;
        return 0.5 * stiffness * stretch * stretch;
    }
    std::string describe() const override {
        std::ostringstream out;
        out << "spring " << a << '-' << b << " k=" << stiffness << " c=" << damping;
        return out.str();
    }

private:
    size_t a, b;
    double stiffness, damping, rest;
};

class Scene {
public:
    explicit Scene(const json::Value &config) {
        for (const json::Value &item : config["bodies"].array()) {
            Body body;
            body.name = item["name"].string();
            body.mass = item.number_or("mass", 1);
            body.fixed = item.object().count("fixed") && item["fixed"].boolean();
            const json::Array &at = item["at"].array();
            if (at.size() != 2)
                throw std::invalid_argument(body.name + ": a position has two coordinates");
            body.position = {at[0].number(), at[1].number()};
            if (!index.emplace(body.name, bodies.size()).second)
                throw std::invalid_argument("two bodies are called " + body.name);
            bodies.push_back(body);
        }
        for (const json::Value &item : config["forces"].array()) {
            auto maker = makers().find(item["kind"].string());
            if (maker == makers().end())
                throw std::invalid_argument("unknown force " + item["kind"].string());
            forces.push_back(maker->second(*this, item));
        }
    }
    size_t find(const std::string &name) const {
        auto found = index.find(name);
        if (found == index.end())
            throw std::out_of_range("no body is called " + name);
        return found->second;
    }
    void evaluate() {
        for (Body &b : bodies)
            b.force = {};
        for (const auto &force : forces)
            force->apply(bodies);
    }
    double energy() const {
        double sum = 0;
        for (const Body &b : bodies)
            sum += 0.5 * b.mass * b.velocity.dot(b.velocity);
        for (const auto &force : forces)
            sum += force->energy(bodies);
        return sum;
    }
    std::vector<Body> bodies;
    std::vector<std::unique_ptr<Force>> forces;

private:
    using Maker = std::function<std::unique_ptr<Force>(const Scene &, const json::Value &)>;
    static const std::map<std::string, Maker> &makers() {
        static const std::map<std::string, Maker> table{
            {"gravity", [](const Scene &, const json::Value &v) { return std::make_unique<Gravity>(v.number_or("g", 9.81)); }},
            {"spring",
             [](const Scene &scene, const json::Value &v) {
                 const json::Array &ends = v["between"].array();
                 size_t a = scene.find(ends.at(0).string()), b = scene.find(ends.at(1).string());
                 double length = (scene.bodies[b].position - scene.bodies[a].position).length();
                 return std::make_unique<Spring>(a, b, v.number_or("stiffness", 10), v.number_or("damping", 0),
                                                 v.number_or("rest", length));
             }},
        };
        return table;
    }
    std::map<std::string, size_t> index;
};

using Stepper = void (*)(Scene &, double);

static void symplectic_euler(Scene &s, double dt) {
    s.evaluate();
    for (Body &b : s.bodies) {
        if (b.fixed)
            continue;
        b.velocity += (dt / b.mass) * b.force;
        b.position += dt * b.velocity;
    }
}

static void verlet(Scene &s, double dt) {
    s.evaluate();
    for (Body &b : s.bodies)
        if (!b.fixed) {
            b.velocity += (0.5 * dt / b.mass) * b.force;
            b.position += dt * b.velocity;
        }
    s.evaluate();
    for (Body &b : s.bodies)
        if (!b.fixed)
            b.velocity += (0.5 * dt / b.mass) * b.force;
}

static Stepper stepper(const std::string &name) {
    static const std::map<std::string, Stepper> known{{"euler", symplectic_euler}, {"verlet", verlet}};
    auto found = known.find(name);
    if (found == known.end())
        throw std::invalid_argument("unknown integrator " + name);
    return found->second;
}

struct Report {
    double first_energy = 0, last_energy = 0;
    Vec2 tip;
};

static Report simulate(const json::Value &config, std::ostream &log) {
    Scene scene(config);
    const json::Value &time = config["time"];
    Stepper step = stepper(time["integrator"].string());
    double dt = time["step"].number();
    int steps = static_cast<int>(std::lround(time["end"].number() / dt)), every = static_cast<int>(time.number_or("report", 20));
    size_t probe = scene.find(config["probe"].string());
    for (const auto &force : scene.forces)
        log << "# " << force->describe() << '\n';
    Report report;
    report.first_energy = scene.energy();
    for (int i = 1; i <= steps; i++) {
        step(scene, dt);
        if (i % every == 0) {
            const Vec2 &p = scene.bodies[probe].position;
            log << std::setw(6) << i << std::setw(12) << std::setprecision(6) << p.x << std::setw(12) << p.y << '\n';
        }
    }
    report.last_energy = scene.energy();
    report.tip = scene.bodies[probe].position;
    return report;
}

// ---- the sensitivity: parameters are stiffness and damping of each spring of a hanging chain ----

static double chain_drop(const double *stiffness, const double *damping, int links, double dt, int steps) {
    std::vector<double> y(static_cast<size_t>(links) + 1), v(static_cast<size_t>(links) + 1);
    for (int i = 0; i <= links; i++)
        y[static_cast<size_t>(i)] = -i;
    for (int s = 0; s < steps; s++) {
        std::vector<double> f(y.size(), -9.81);
        for (int i = 0; i < links; i++) {
            size_t a = static_cast<size_t>(i), b = a + 1;
            double pull = stiffness[i] * (y[a] - y[b] - 1) + damping[i] * (v[a] - v[b]);
            f[a] -= pull;
            f[b] += pull;
        }
        for (size_t i = 1; i < y.size(); i++) {
            v[i] += dt * f[i];
            y[i] += dt * v[i];
        }
    }
    return y.back();
}

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "ok     " : "FAILED ") << what << std::endl;
    failures += !holds;
}

static void sensitivities() {
    constexpr int links = 3;
    double k[links] = {200, 150, 100}, dk[links] = {}, c[links] = {2, 1, 0.5}, dc[links] = {};
    __enzyme_autodiff<void>((void *)chain_drop, enzyme_dup, k, dk, enzyme_dup, c, dc, enzyme_const, links, enzyme_const, 0.01,
                            enzyme_const, 40);
    bool agree = true;
    for (int i = 0; i < links; i++) {
        double h = 1e-4, keep = k[i];
        k[i] = keep + h;
        double up = chain_drop(k, c, links, 0.01, 40);
        k[i] = keep - h;
        double down = chain_drop(k, c, links, 0.01, 40);
        k[i] = keep;
        agree = agree && std::abs((up - down) / (2 * h) - dk[i]) < 1e-7;
        std::printf("d drop / d stiffness %d = %.9f, / d damping = %.9f\n", i, dk[i], dc[i]);
    }
    expect(agree, "sensitivities agree with difference quotients");
}

static const char *const config_text = R"({
  "title": "a swinging \"chain\"\tof two",
  "time": {"integrator": "verlet", "step": 5e-3, "end": 1.0, "report": 50},
  "probe": "tip",
  "bodies": [
    {"name": "anchor", "at": [0, 0], "fixed": true},
    {"name": "middle", "at": [1, 0], "mass": 0.5},
    {"name": "tip", "at": [2.0, 0.25], "mass": 2.5e-1}
  ],
  "forces": [
    {"kind": "gravity"},
    {"kind": "spring", "between": ["anchor", "middle"], "stiffness": 400},
    {"kind": "spring", "between": ["middle", "tip"], "stiffness": 250, "damping": 0}
  ]
})";

int main() {
    json::Value config = json::parse(config_text);
    expect(config["title"].string() == "a swinging \"chain\"\tof two", "escapes");
    std::ostringstream written;
    config.write(written);
    std::ostringstream again;
    json::parse(written.str()).write(again);
    expect(written.str() == again.str(), "what is written is read as the same");
    std::cout << written.str() << '\n';

    std::ostringstream log;
    Report verlet_report = simulate(config, log);
    std::istringstream lines(log.str());
    std::string line;
    int rows = 0, comments = 0;
    double lowest = 0;
    while (std::getline(lines, line)) {
        std::cout << line << '\n';
        if (line[0] == '#') {
            comments++;
            continue;
        }
        std::istringstream row(line);
        int step;
        double x, y;
        if (row >> step >> x >> y) {
            lowest = std::min(lowest, y);
            rows++;
        }
    }
    expect(rows == 4 && comments == 3, "the log has its rows");
    expect(lowest < -1, "the chain falls");
    std::printf("energy %.6f -> %.6f\n", verlet_report.first_energy, verlet_report.last_energy);
    expect(std::abs(verlet_report.last_energy - verlet_report.first_energy) < 2e-2, "energy is conserved");

    static const std::array<std::pair<const char *, const char *>, 8> broken{{
        {"{\"a\": 1,}", "a member needs a name"},
        {"[1, 2", "unexpected end"},
        {"[1 2]", "expected ']'"},
        {"{\"a\": 1, \"a\": 2}", "twice"},
        {"\n\n  \"open", "line 3"},
        {"[1e999]", "out of range"},
        {"tru", "expected true"},
        {"[] []", "something follows"},
    }};
    for (const auto &[text, phrase] : broken) {
        std::string message;
        try {
            json::parse(text);
        } catch (const json::Error &error) {
            message = error.what();
        }
        expect(message.find(phrase) != std::string::npos, message);
    }
    for (const char *change : {"verlett", "nobody", "magnet"}) {
        std::string text = config_text, wanted = change;
        std::string from = wanted == "verlett" ? "verlet" : wanted == "nobody" ? "anchor\", \"middle" : "gravity";
        text.replace(text.find(from), from.size(), wanted == "nobody" ? "nobody\", \"middle" : wanted);
        std::ostringstream ignored;
        try {
            simulate(json::parse(text), ignored);
            expect(false, "a bad configuration is refused");
        } catch (const std::logic_error &error) {
            expect(std::string(error.what()).find(wanted) != std::string::npos, error.what());
        }
    }
    sensitivities();
    std::cout << failures << " failures\n";
    return failures != 0;
}
