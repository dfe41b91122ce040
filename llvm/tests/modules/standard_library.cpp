// A program that draws much of the C++ standard library into one module.
#include <algorithm>
#include <atomic>
#include <complex>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Disc final : Shape {
    explicit Disc(double r) : radius(r) {}
    double area() const override { return 3.141592653589793 * radius * radius; }
    double radius;
};

struct Box : Shape {
    Box(double a, double b) : width(a), height(b) {}
    double area() const override { return width * height; }
    double width, height;
};

static thread_local int depth = 0;
static std::atomic<long> counted{0};

double total(const std::vector<std::unique_ptr<Shape>> &shapes) {
    return std::accumulate(shapes.begin(), shapes.end(), 0.0,
                           [](double sum, const auto &shape) { return sum + shape->area(); });
}

std::complex<double> power(std::complex<double> z, int n) { return n == 0 ? 1.0 : z * power(z, n - 1); }

long double precise(long double x) { return x / 3 + 0.1L; }

double checked(const std::map<std::string, double> &table, const std::string &name) try {
    ++depth;
    return table.at(name);
} catch (const std::out_of_range &error) {
    std::cerr << error.what() << '\n';
    throw std::runtime_error("no " + name);
}

int main(int argc, char **argv) {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Disc>(2.0));
    shapes.push_back(std::make_unique<Box>(1.0, argc));
    std::map<std::string, double> table{{"a", total(shapes)}, {"b", std::abs(power({0.5, 0.25}, 7))}};
    std::unordered_map<int, std::function<double(double)>> functions{{1, [](double x) { return x + 1; }}};
    std::variant<int, double, std::string> one = argv[0];
    std::ostringstream out;
    std::visit([&](const auto &value) { out << value; }, one);
    std::vector<double> values(100);
    std::iota(values.begin(), values.end(), 0.5);
    std::sort(values.begin(), values.end(), [](double a, double b) { return a > b; });
    std::thread worker([&] { counted.fetch_add(static_cast<long>(values.size()), std::memory_order_acq_rel); });
    worker.join();
    try {
        out << checked(table, "a") + checked(table, "z") << functions.at(1)(2.0) << (double)precise(argc);
    } catch (const std::exception &error) {
        out << error.what();
    } catch (...) {
        return 2;
    }
    std::cout << out.str() << counted.load() << depth << '\n';
}
