// A structure with a union of a `float` and a `double` is passed by value, as a `double` whatever is in it. Adjoints of
// two `float` that were moved so would be added as if they were one `double`.
// adj-exit: 3
// adj-message: a union is moved as one of its members
// adj-levels: O0,O1
#include "adj.h"

struct number {
  long wide;
  union {
    float single;
    double whole;
  } u;
};

__attribute__((noinline)) static struct number made(int i, const double *x) {
  struct number n = {.wide = i & 1};
  if (n.wide)
    n.u.whole = x[i];
  else
    n.u.single = (float)x[i];
  return n;
}

__attribute__((noinline)) static double squared(struct number n) {
  return n.wide ? n.u.whole * n.u.whole : n.u.single * n.u.single;
}

static double summed(const double *x, int n) {
  struct number kept[4];
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    kept[i] = made(i, x);
  for (int i = 0; i < n; i++)
    sum += (i + 1) * squared(kept[i]) + squared(kept[i]);
  return sum;
}

int main(void) {
  double x[4] = {1.5, 2.0, 3.0, 4.0}, d[4] = {0};
  __enzyme_autodiff((void *)summed, enzyme_dup, x, d, 4);
  return d[0] == 0.0;
}
