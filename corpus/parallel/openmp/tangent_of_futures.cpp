// Tangents of futures: one that a thread computes, one that is computed when it is asked for.
// adj-flags: -std=c++20 -pthread
#include <cmath>
#include <future>

#include "adj.h"

static double f(const double *x) {
    auto first = std::async(std::launch::async, [=] { return std::sin(x[0]); });
    auto second = std::async(std::launch::deferred, [=] { return x[0] * x[1]; });
    return first.get() * x[1] + second.get();
}

int main() {
    double x[2] = {1.3, 0.7}, dx[2] = {1, -2};
    double tangent = __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, dx);
    double right = (std::cos(x[0]) * x[1] + x[1]) * dx[0] + (std::sin(x[0]) + x[0]) * dx[1];
    return std::fabs(tangent - right) > 1e-12;
}
