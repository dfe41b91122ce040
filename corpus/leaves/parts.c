// Sign, exponent and fraction in a structure of bit fields.
#include <stdint.h>
union word {
  double number;
  struct {
    uint64_t fraction : 52, exponent : 11, sign : 1;
  } part;
};
struct parts {
  uint64_t fraction;
  int exponent;
  char sign;
};
static void leave(const double *x, double *y, int n) {
  struct parts p[8];
  for (int i = 0; i < n; i++) {
    union word w;
    w.number = x[i];
    p[i].fraction = w.part.fraction, p[i].exponent = w.part.exponent, p[i].sign = w.part.sign;
  }
  for (int i = 0; i < n; i++) {
    union word w;
    w.part.fraction = p[i].fraction, w.part.exponent = p[i].exponent, w.part.sign = p[i].sign;
    y[i] = w.number;
  }
}
#include "judge.h"
