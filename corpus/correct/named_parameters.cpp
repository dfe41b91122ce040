// Parameters by name: numbers beside strings in the nodes of a map, short names in the node and long ones elsewhere.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

static double rate(const double *x) {
  std::map<std::string, double> parameter;
  parameter["rate"] = x[0];
  parameter["energy of activation"] = x[1];
  parameter["temperature"] = x[2];
  parameter["rate"] *= parameter["temperature"];
  double boltzmann = parameter["energy of activation"] / parameter["temperature"];
  return parameter["rate"] * std::exp(-boltzmann);
}

int main() {
  double x[3] = {1.5, 0.75, 1.25}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)rate, enzyme_dup, x, dx);
  double all = x[0] * x[2] * std::exp(-x[1] / x[2]);
  double right[3] = {all / x[0], -all / x[2], all / x[2] + all * x[1] / (x[2] * x[2])};
  for (int i = 0; i < 3; i++)
    if (!(std::fabs(dx[i] - right[i]) < 1e-12)) return std::printf("component %d: %g\n", i, dx[i]), 1;
}
