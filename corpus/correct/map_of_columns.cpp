// A table of columns, by number: each entry of the std::map points to the values of a column, which lie in memory of the caller.
#include <cmath>
#include <cstdio>
#include <map>

#include "adj.h"

using Columns = std::map<int, const double *>;

static double score(const Columns &columns, int n) {
    double sum = 0;
    for (const auto &[number, values] : columns)
        for (int i = 0; i < n; i++)
            sum += number * values[i] * std::sin(values[i]);
    auto found = columns.find(3);
    if (found != columns.end())
        sum += found->second[0] * found->second[1];
    return sum;
}

__attribute__((noinline)) double model(const double *x, int n) {
    Columns columns;
    for (int k = 0; k < 4; k++)
        columns[2 * k + 1] = x + k * n;
    return score(columns, n);
}
__attribute__((noinline)) double given(const Columns &columns, int n) { return score(columns, n); }

int main() {
    const int n = 3;
    double x[4 * n], dx[4 * n] = {};
    for (int i = 0; i < 4 * n; i++)
        x[i] = 0.1 * i - 0.3;
    __enzyme_autodiff<double>((void *)model, enzyme_dup, x, dx, enzyme_const, n);
    double dy[4 * n] = {};
    Columns columns, shadows;
    for (int k = 0; k < 4; k++) {
        columns[2 * k + 1] = x + k * n;
        shadows[2 * k + 1] = dy + k * n;
    }
    __enzyme_autodiff<double>((void *)given, enzyme_dup, &columns, &shadows, enzyme_const, n);
    for (int i = 0; i < 4 * n; i++)
        std::printf("%.6f %.6f\n", dx[i], dy[i]);
}
