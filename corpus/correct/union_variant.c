// A tagged union: the same eight bytes hold a float pair, a double or an integer, by kind.
#include "adj.h"
#include <stdio.h>

enum kind { CONSTANT, SCALAR, PAIR };

struct item {
  enum kind kind;
  union {
    long index;
    double scalar;
    float pair[2];
  } as;
};

static double total(const struct item *items, int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    switch (items[i].kind) {
    case CONSTANT: sum += x[items[i].as.index] * x[items[i].as.index]; break;
    case SCALAR: sum *= items[i].as.scalar; break;
    case PAIR: sum += (double)(items[i].as.pair[0] * items[i].as.pair[1]) * x[0]; break;
    }
  }
  return sum;
}

int main(void) {
  struct item items[5], shadow[5];
  for (int i = 0; i < 5; i++)
    shadow[i].kind = items[i].kind = (enum kind)(i % 3);
  items[0].as.index = shadow[0].as.index = 1;
  items[3].as.index = shadow[3].as.index = 2;
  items[1].as.scalar = 1.75;
  items[4].as.scalar = -0.5;
  shadow[1].as.scalar = shadow[4].as.scalar = 0.0;
  items[2].as.pair[0] = 1.5f;
  items[2].as.pair[1] = 0.25f;
  shadow[2].as.pair[0] = shadow[2].as.pair[1] = 0.0f;
  double x[3] = {0.8, -1.3, 2.1}, dx[3] = {0};
  printf("%.17g\n", total(items, 5, x));
  __enzyme_autodiff((void *)total, enzyme_dup, items, shadow, enzyme_const, 5, enzyme_dup, x, dx);
  printf("%.17g %.17g\n", shadow[1].as.scalar, shadow[4].as.scalar);
  printf("%.9g %.9g\n", shadow[2].as.pair[0], shadow[2].as.pair[1]);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  return 0;
}
