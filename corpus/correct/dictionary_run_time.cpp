// A dictionary of values by number, with activity told at run time: constant data and active parameters meet in its entries, and every
// term of the sum must keep its derivative.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <map>

extern int enzyme_runtime_activity;

static double posterior(const double *parameter, const double *data, int n) {
  std::map<int, double> value;
  value[0] = parameter[0];
  value[1] = std::exp(parameter[1]);
  double sum = -0.5 * value[0] * value[0] - parameter[1];
  for (int i = 0; i < n; i++) {
    const double *from = i % 2 ? data : parameter;
    value[2 + i] = from[i % 3] - value.at(0);
    double scaled = value[2 + i] / value.at(1);
    sum -= 0.5 * scaled * scaled + std::log(value.at(1));
  }
  value.erase(4);
  for (const auto &entry : value)
    sum += entry.second * value.at(3);
  return sum;
}

int main() {
  double parameter[3] = {0.4, -0.2, 1.1}, data[3] = {0.9, 0.1, -0.7};
  for (int constant = 0; constant < 2; constant++) {
    double dparameter[3] = {0}, ddata[3] = {0};
    __enzyme_autodiff<void>((void *)posterior, enzyme_runtime_activity, enzyme_dup, parameter, dparameter, enzyme_dup, data,
                            constant ? data : ddata, enzyme_const, 5);
    std::printf("%.15g %.15g %.15g\n", dparameter[0], dparameter[1], dparameter[2]);
    for (double d : ddata)
      std::printf("%.15g\n", d);
  }
  return 0;
}
