// Tail calls that the program requires (`musttail`): states of a machine that hand their number on.
#include "adj.h"

struct machine {
  const char *text;
  double value, step;
};

static double start(struct machine *m);

static double grow(struct machine *m) {
  m->value = m->value * m->value + m->step;
  m->text++;
  __attribute__((musttail)) return start(m);
}

static double shrink(struct machine *m) {
  m->value = m->value / (1.0 + m->step * m->value);
  m->text++;
  __attribute__((musttail)) return start(m);
}

static double start(struct machine *m) {
  switch (*m->text) {
    case '+': __attribute__((musttail)) return grow(m);
    case '-': __attribute__((musttail)) return shrink(m);
    default: return m->value * m->step;
  }
}

static double run(double value, double step) {
  struct machine m = {"+-++-", value, step};
  return start(&m);
}

int main(void) {
  struct { double value, step; } d;
  d.value = __enzyme_autodiff((void *)run, enzyme_out, 0.5, enzyme_const, 0.75);
  return d.value != 0.0 ? 0 : 1;
}
