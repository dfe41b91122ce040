// std::list: nodes pushed at both ends, spliced, erased and walked in both directions.
#include "adj.h"
#include <cstdio>
#include <list>

static double run(const double *x, int n) {
  std::list<double> values;
  for (int i = 0; i < n; i++)
    if (i % 2)
      values.push_front(x[i] * x[i]);
    else
      values.push_back(x[i] * 0.5);
  auto second = values.begin();
  ++second;
  values.erase(second);
  double sum = 0.0, weight = 1.0;
  for (double v : values) {
    sum += weight * v;
    weight *= 0.5;
  }
  for (auto it = values.rbegin(); it != values.rend(); ++it)
    sum = sum * *it + x[0];
  return sum;
}

int main() {
  double x[6] = {0.4, -0.7, 1.1, 0.3, -0.2, 0.9}, dx[6] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 6);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
