// Split mode through an exception.
#include "adj.h"
#include <cmath>
#include <cstdio>
template <typename R, typename... A> R __enzyme_augmentfwd(void *, A...);
template <typename R, typename... A> R __enzyme_reverse(void *, A...);
struct Far { double r; };
static double kernel(double r) { if (r > 2.0) throw Far{r}; return std::exp(-r * r); }
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      try { s += kernel(std::fabs(x[i] - x[j])); }
      catch (const Far &far) { s += 1.0 / far.r; }
    }
  return s;
}
int main() {
  double x[4] = {0.0, 0.5, 2.25, 4.0}, dx[4] = {0};
  void *tape = __enzyme_augmentfwd<void *>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  __enzyme_reverse<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4, 1.0, tape);
  for (double d : dx) std::printf("%.12g\n", d);
}
