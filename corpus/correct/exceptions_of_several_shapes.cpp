// Three types are thrown, with floats where others have integers.
#include "adj.h"
#include <cmath>
#include <cstdio>
struct Low { double by; int where; };
struct High { int where; float by; };
static double g(double x, int k) {
  if (x < 0) throw Low{x * x, k};
  if (x > 3) throw High{k, (float)x};
  if (x > 2) throw k;
  return std::sqrt(x);
}
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += g(x[i], i); }
    catch (const Low &l) { s += l.by * l.where; }
    catch (const High &h) { s += h.by * h.by * h.where; }
    catch (int k) { s += x[k] * x[0]; }
  }
  return s;
}
int main() {
  double x[5] = {1.0, -0.5, 5.0, 2.5, 0.25}, dx[5] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  for (double d : dx) std::printf("%.12g\n", d);
}
