// A goto into the middle of a loop, and a cycle of two labels that both can be entered first.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double bounce(double x, double y, int start, int steps) {
  double kept = x;
  int i = 0;
  if (start == 1)
    goto middle;
  if (start == 2) {
    kept = y;
    goto end;
  }
top:
  x = sin(x) + 0.3 * y;
  if (i++ >= steps)
    return x * kept;
middle:
  y = y * x + 0.1 * i;
  for (int k = 0; k < i % 3; k++) {
    kept = kept * 0.5 + x;
    if (kept > 50.0)
      goto end;
  }
  if (i % 4 == 2)
    goto top;
end:
  kept += y * y;
  y = 0.7 * y + 0.2 * kept;
  i++;
  if (y > 3.0) {
    y = y / 3.0;
    goto middle;
  }
  goto top;
}

struct Both {
  double a, b;
};
struct Both __enzyme_autodiff_both(void *, ...);

int main(void) {
  for (int start = 0; start < 3; start++)
    for (int steps = 0; steps < 12; steps += 3) {
      struct Both g = __enzyme_autodiff_both((void *)bounce, enzyme_out, 0.8, enzyme_out, 1.1, enzyme_const, start, enzyme_const, steps);
      printf("%.17g %.17g %.17g\n", bounce(0.8, 1.1, start, steps), g.a, g.b);
    }
  return 0;
}
