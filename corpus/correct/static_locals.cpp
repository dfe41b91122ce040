// A static object within a function, made on the first call, names as C strings, and a static member.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <cstring>

struct Table {
  static constexpr double offset = 0.25;
  double w[4];
  Table() {
    for (int i = 0; i < 4; i++)
      w[i] = 1.0 / (i + 1);
  }
};

static const Table &table() {
  static const Table t;
  return t;
}

static double weight(const char *name, double x) {
  if (std::strcmp(name, "square") == 0)
    return x * x;
  if (std::strcmp(name, "exponential") == 0)
    return std::exp(x);
  return x;
}

static double evaluate(double x) {
  const Table &t = table();
  double sum = Table::offset;
  for (int i = 0; i < 4; i++)
    sum += t.w[i] * std::pow(x, i);
  const char *name = "square";
  sum += weight(name, sum);
  name = "exponential";
  return sum + weight(name, 0.1 * x) + weight("other", x);
}

int main() {
  for (double x = 0.2; x < 1.5; x += 0.6)
    std::printf("%.17g %.17g\n", evaluate(x), __enzyme_autodiff<double>((void *)evaluate, enzyme_out, x));
  return 0;
}
