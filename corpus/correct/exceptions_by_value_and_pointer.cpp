// Caught by value, with a copy constructor, and by pointer to what was made with new; forward and reverse mode.
#include "adj.h"
#include <cmath>
#include <cstdio>
struct State { double a, b; State(double a, double b) : a(a), b(b) {} State(const State &o) : a(o.a), b(o.b) {} };
static double advance(double x, int k) {
  if (k == 3) throw State(x * x, std::cos(x));
  if (k == 5) throw new State(x, x * x * x);
  return std::sin(x) + 0.1 * k;
}
static double f(double x) {
  for (int k = 0; k < 7; k++) {
    try { x = advance(x, k); }
    catch (State s) { x = s.a * s.b; }
    catch (State *s) { x = s->a + 0.1 * s->b; delete s; }
  }
  return x;
}
int main() {
  std::printf("%.15g\n", __enzyme_fwddiff<double>((void *)f, enzyme_dup, 0.7, 1.0));
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, 0.7));
}
