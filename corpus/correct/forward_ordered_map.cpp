// Forward mode of a standard map: nodes with shadows, joined by the library, updated, erased and walked in order.
#include "adj.h"
#include <cstdio>
#include <map>

static double histogram(double x, int n) {
  std::map<int, double> bins;
  for (int i = 0; i < n; i++)
    bins[(i * 7) % 5] += x * i + 1.0;
  double product = 1.0;
  for (const auto &entry : bins)
    product *= entry.second * 0.25;
  return product;
}

static double pruned(double x, int n) {
  std::map<int, double> powers;
  double p = 1.0;
  for (int i = 0; i < n; i++)
    powers[(i * 11) % 17] = p *= x;
  powers.erase(11);
  auto first = powers.begin();
  double sum = first->second;
  for (++first; first != powers.end(); ++first)
    sum = sum * x + first->second;
  return sum;
}

int main() {
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)histogram, 0.7, 1.0, 12));
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)pruned, 0.9, 1.0, 9));
}
