// std::unique_ptr: a chain of owners, moved, with a custom deleter, and an array.
#include "adj.h"
#include <cstdio>
#include <cstdlib>
#include <memory>

struct Link {
  double value;
  std::unique_ptr<Link> next;
};

struct Release {
  void operator()(double *p) const { std::free(p); }
};

static double run(const double *x, int n) {
  std::unique_ptr<Link> head;
  for (int i = 0; i < n; i++) {
    auto link = std::make_unique<Link>();
    link->value = x[i] * (i + 1);
    link->next = std::move(head);
    head = std::move(link);
  }
  std::unique_ptr<double, Release> spare((double *)std::malloc(2 * sizeof(double)));
  spare.get()[0] = 0.0;
  spare.get()[1] = 1.0;
  for (Link *l = head.get(); l; l = l->next.get()) {
    spare.get()[0] += l->value * l->value;
    spare.get()[1] *= l->value;
  }
  std::unique_ptr<double[]> copy = std::make_unique<double[]>(n);
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * spare.get()[1];
  return spare.get()[0] + copy[n - 1];
}

int main() {
  double x[4] = {0.9, -0.4, 1.3, 0.5}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
