// Values in a ring, each a number, a reference to one, or a few small coefficients, are taken out, combined, and put
// back as what they have become.
#include "adj.h"
#include <stdio.h>

enum kind { NUMBER, REFERENCE, SERIES };

struct value {
  enum kind kind;
  union {
    double number;
    const double *input;
    double coefficient[3];
  } u;
};

struct ring {
  struct value slot[8];
  int first, count;
};

__attribute__((noinline)) static void put(struct ring *r, const struct value *v) { r->slot[(r->first + r->count++) % 8] = *v; }

__attribute__((noinline)) static void take(struct ring *r, struct value *v) {
  *v = r->slot[r->first];
  r->first = (r->first + 1) % 8;
  r->count--;
}

__attribute__((noinline)) static double number(const struct value *v) {
  if (v->kind == NUMBER)
    return v->u.number;
  if (v->kind == REFERENCE)
    return *v->u.input;
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    sum = 0.5 * sum + v->u.coefficient[i];
  return sum;
}

static double reduced(const double *x, int n) {
  struct ring r = {.first = 5};
  struct value v, w, result;
  for (int i = 0; i < n; i++) {
    v.kind = (enum kind)(i % 3);
    if (v.kind == NUMBER)
      v.u.number = x[i];
    else if (v.kind == REFERENCE)
      v.u.input = x + i;
    else
      for (int k = 0; k < 3; k++)
        v.u.coefficient[k] = x[i] * (k + 1);
    put(&r, &v);
  }
  while (r.count > 1) {
    take(&r, &v);
    take(&r, &w);
    result.kind = NUMBER;
    result.u.number = number(&v) * number(&w) + number(&v);
    put(&r, &result);
  }
  take(&r, &v);
  return number(&v);
}

int main(void) {
  double x[6] = {0.5, -1.25, 0.75, 2.0, -0.5, 1.5}, d[6] = {0};
  __enzyme_autodiff((void *)reduced, enzyme_dup, x, d, 6);
  for (int i = 0; i < 6; i++)
    printf("%.6f ", d[i]);
  printf("\n");
  return 0;
}
