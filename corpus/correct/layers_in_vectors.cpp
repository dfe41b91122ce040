// A network in `std::vector`s: what one layer leaves is read by the next, and freed when the function ends.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <vector>

static std::vector<double> dense(const std::vector<double> &weights, const std::vector<double> &in) {
  std::vector<double> out(weights.size() / in.size());
  for (std::size_t i = 0; i < out.size(); i++) {
    double sum = 0.0;
    for (std::size_t j = 0; j < in.size(); j++)
      sum += weights[i * in.size() + j] * in[j];
    out[i] = 1.0 / (1.0 + std::exp(-sum));
  }
  return out;
}

static double loss(const std::vector<double> *weights, const std::vector<double> *x) {
  std::vector<double> hidden = dense(weights[0], *x), last = dense(weights[1], hidden);
  double total = 0.0;
  for (double y : last)
    total += (y - 0.25) * (y - 0.25);
  return total;
}

int main() {
  std::vector<double> weights[2] = {std::vector<double>(12), std::vector<double>(8)}, x = {0.3, -0.2, 0.9};
  for (auto &w : weights)
    for (std::size_t i = 0; i < w.size(); i++)
      w[i] = 0.4 * std::sin(1.0 + double(i));
  std::vector<double> dweights[2] = {std::vector<double>(12), std::vector<double>(8)}, dx(3);
  __enzyme_autodiff<void>((void *)loss, enzyme_dup, weights, dweights, enzyme_dup, &x, &dx);
  for (auto &w : dweights)
    std::printf("%.17g %.17g\n", w[0], w[5]);
  std::printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
}
