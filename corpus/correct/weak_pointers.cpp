// std::weak_ptr, a deleter of one's own, and the pointer of a member.
#include "adj.h"
#include <cstdio>
#include <cstdlib>
#include <memory>

struct Pair {
  double first, second;
};

static double run(double x, double y) {
  std::shared_ptr<Pair> owner(new Pair{x, y});
  std::shared_ptr<double> member(owner, &owner->second);
  std::weak_ptr<Pair> watch = owner;
  std::shared_ptr<double> raw((double *)std::malloc(sizeof(double)), [](double *p) { std::free(p); });
  *raw = x * y;
  *member = *member * x;
  double sum = 0.0;
  if (auto p = watch.lock())
    sum += p->first * p->second;
  owner.reset();
  return sum * *raw + *member;
}

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.3, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
