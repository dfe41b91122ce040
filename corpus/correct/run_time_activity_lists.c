// Activity told at run time, through a list: its nodes name arrays of which some are constant, and are their own shadows.
#include "adj.h"

extern int enzyme_runtime_activity;

struct part {
  double *data;
  int n;
  struct part *next;
};

static double norm(const struct part *p) {
  double s = 0.0;
  for (; p; p = p->next)
    for (int i = 0; i < p->n; i++) {
      p->data[i] *= 0.5;
      s += p->data[i] * p->data[i] * (i + 1);
    }
  return s;
}

int main(void) {
  double x[3] = {1.0, -2.0, 0.5}, dx[3] = {0.0, 0.0, 0.0}, fixed[2] = {3.0, 4.0};
  struct part second = {fixed, 2, 0}, first = {x, 3, &second};
  struct part dsecond = {fixed, 2, 0}, dfirst = {dx, 3, &dsecond};
  __enzyme_autodiff((void *)norm, enzyme_runtime_activity, enzyme_dup, &first, &dfirst);
  return dx[0] == 0.5 && dx[1] == -2.0 && fixed[0] == 1.5 && fixed[1] == 2.0 ? 0 : 1;
}
