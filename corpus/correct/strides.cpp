// Loops that keep something of each iteration and whose counters take longer steps: by two and three, down, up to and with the bound, with a rest,
// without an iteration; pointers that walk up and down an array; iterators; loops of this kind within others; and counters that go round before
// they meet their bound.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <vector>

static double by_three(double *x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i += 3) {
    x[i] = std::sin(x[i]) * x[i];
    sum += x[i];
  }
  return sum;
}

static double with_bound(double *x, int from, int n) {
  double sum = 0;
  for (int i = from; i <= n; i += 2) {
    x[i] = std::exp(-x[i]) * x[i];
    sum += x[i] * x[i];
  }
  return sum;
}

static double downwards(double *x, int n) {
  double sum = 0;
  for (int i = n; i > 0; i -= 2) {
    x[i] = x[i - 1] * x[i] + 0.1;
    sum = sum * x[i] + x[i - 1];
  }
  return sum;
}

static double unsigned_steps(double *x, unsigned from, unsigned n) {
  double sum = 0;
  for (unsigned i = from; i < n; i += 4) {
    x[i % 9] *= x[(i + 1) % 9];
    sum += x[i % 9];
  }
  return sum;
}

static double pointers(double *x, long n) {
  double sum = 0;
  for (double *p = x, *end = x + n; p != end; ++p) *p = std::cos(*p) * *p;
  for (double *p = x + n; p > x; p -= 2) sum = sum * p[-1] + p[-1];
  return sum;
}

static double iterators(std::vector<double> &x, int times) {
  double sum = 0;
  for (int t = 0; t < times; t++) {
    for (double &v : x) v = std::sin(v) * v + 0.2;
    for (auto v = x.rbegin(); v != x.rend(); ++v) sum = sum * *v + *v;
  }
  return sum;
}

static double in_loops(double *x, int n, int a) {
  double sum = 0;
  for (int t = 0; t < n; t += 2)
    for (int i = 0; i < a; i += 3) {
      x[i] = x[i] * x[i + 1] + x[t];
      sum += x[i];
    }
  return sum;
}

static double going_round(double *x, unsigned char from, unsigned char below, unsigned char end) {
  double sum = 0;
  for (unsigned char i = from; i < below; i += 7) {
    x[i % 9] *= 0.9 + 0.1 * x[(i + 1) % 9];
    sum += x[i % 9];
  }
  unsigned char i = from;
  do {
    x[i % 9] = std::sin(x[i % 9]) + 0.3;
    sum += x[i % 9] * x[0];
    i += 3;
  } while (i != end);
  return sum;
}

#define GRADIENT(F, ...)                                                                  \
  do {                                                                                    \
    double x[9] = {0.9, 0.7, 1.1, 0.5, 0.8, 0.6, 1.2, 0.4, 1.3}, dx[9] = {0};             \
    __enzyme_autodiff<void>((void *)F, enzyme_dup, x, dx, __VA_ARGS__);                   \
    std::printf("%s: %.6f %.6f\n", #F, dx[0], dx[6]);                                     \
  } while (0)

int main() {
  for (long n = 0; n < 9; n++) GRADIENT(by_three, enzyme_const, n);
  for (int n = -1; n < 5; n++) GRADIENT(with_bound, enzyme_const, 1, enzyme_const, n);
  for (int n = 0; n < 5; n++) GRADIENT(downwards, enzyme_const, n);
  GRADIENT(unsigned_steps, enzyme_const, 5u, enzyme_const, 14u);
  GRADIENT(unsigned_steps, enzyme_const, 5u, enzyme_const, 3u);
  // By sevens from 4 to 249, then to 0 and on to 252; by threes from 4 to 253, 0, 255 and 2.
  GRADIENT(going_round, enzyme_const, (unsigned char)4, enzyme_const, (unsigned char)250, enzyme_const, (unsigned char)2);
  GRADIENT(pointers, enzyme_const, 8L);
  GRADIENT(pointers, enzyme_const, 0L);
  GRADIENT(in_loops, enzyme_const, 5, enzyme_const, 7);
  std::vector<double> x = {0.9, 0.7, 1.1}, dx = {0, 0, 0};
  __enzyme_autodiff<void>((void *)iterators, enzyme_dup, &x, &dx, enzyme_const, 3);
  std::printf("iterators: %.6f %.6f\n", dx[0], dx[2]);
  return 0;
}
