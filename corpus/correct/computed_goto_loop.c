// Threaded code in a loop: a table of labels as distances, and a label that is chosen by a value.
#include "adj.h"
#include <stdio.h>

static double step(double v, double w, unsigned kind) {
  void *to = kind == 0 ? &&scale : kind == 1 ? &&shift : &&square;
  goto *to;
scale:
  return v * w;
shift:
  v += w;
  to = w > 0.5 ? &&square : &&scale;
  goto *to;
square:
  return v * v - w;
}

static double run(const double *w, int n) {
  static const void *const actions[4] = {&&grow, &&decay, &&mix, &&stop};
  double v = 1.0, memory = 0.0;
  int i = 0;
  unsigned state = 1;
  goto *actions[0];
grow:
  v = step(v, w[i % n], state % 3);
  goto next;
decay:
  memory += v * w[i % n];
  v *= 0.5;
  goto next;
mix:
  v += memory * w[(i + 1) % n];
next:
  i++;
  state = state * 5 + 3;
  goto *actions[i < 9 ? (state >> 2) % 3 : 3];
stop:
  return v + memory;
}

int main(void) {
  double w[3] = {0.6, 0.4, -0.8}, dw[3] = {0.0, 0.0, 0.0};
  __enzyme_autodiff((void *)run, enzyme_dup, w, dw, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dw[i]);
  return 0;
}
