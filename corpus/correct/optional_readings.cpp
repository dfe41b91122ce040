// std::optional<double> in containers and structures, std::tuple in a vector, sorted.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <optional>
#include <tuple>
#include <vector>

struct Reading {
  std::optional<double> value;
  double weight;
};

static double run(const double *p, int n) {
  std::vector<Reading> readings;
  for (int i = 0; i < n; i++) {
    Reading r{std::nullopt, p[i] * 0.5};
    if (i % 2 == 0)
      r.value = p[i] * p[i];
    readings.push_back(r);
  }
  std::vector<std::tuple<double, int, double>> rows;
  for (int i = 0; i < n; i++)
    rows.emplace_back(readings[i].value.value_or(p[i] + 1.0), i, readings[i].weight);
  std::sort(rows.begin(), rows.end());
  double sum = 0.0;
  for (size_t i = 0; i < rows.size(); i++)
    sum += (double)(i + 1) * std::get<0>(rows[i]) * std::get<2>(rows[i]) + std::get<1>(rows[i]);
  std::vector<std::optional<double>> last(3);
  last[1] = p[1] * 3.0;
  for (auto &o : last)
    if (o)
      sum += *o * *o;
  return sum;
}

int main() {
  double p[4] = {0.8, 1.2, 0.4, -0.3}, dp[4] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, p, dp, enzyme_const, 4);
  for (double d : dp)
    std::printf("%.17g\n", d);
  return 0;
}
