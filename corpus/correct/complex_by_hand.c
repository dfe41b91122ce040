// Complex arithmetic in a structure: multiply, divide, exponential and square root by hand.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct complex {
  double re, im;
};

static struct complex mul(struct complex a, struct complex b) {
  return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static struct complex divide(struct complex a, struct complex b) {
  double d = b.re * b.re + b.im * b.im;
  return (struct complex){(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}
static struct complex exponential(struct complex z) {
  double e = exp(z.re);
  return (struct complex){e * cos(z.im), e * sin(z.im)};
}
static struct complex root(struct complex z) {
  double r = sqrt(hypot(z.re, z.im)), t = 0.5 * atan2(z.im, z.re);
  return (struct complex){r * cos(t), r * sin(t)};
}

static void response(const struct complex *pole, const double *frequency, struct complex *out) {
  struct complex h = {1.0, 0.0};
  for (int i = 0; i < 3; i++) {
    struct complex s = {-pole[i].re, *frequency - pole[i].im};
    h = divide(mul(h, pole[i]), s);
  }
  *out = root(exponential(h));
}

int main(void) {
  struct complex pole[3] = {{-0.5, 1.0}, {-1.2, 0.3}, {-0.3, -0.8}}, dpole[3] = {{0, 0}, {0, 0}, {0, 0}};
  struct complex out = {0, 0}, dout = {1.0, -0.5};
  double f = 0.7, df = 0.0;
  __enzyme_autodiff((void *)response, enzyme_dup, pole, dpole, enzyme_dup, &f, &df, enzyme_dup, &out, &dout);
  printf("%.15g %.15g %.15g\n", out.re, out.im, df);
  for (int i = 0; i < 3; i++)
    printf("%.15g %.15g\n", dpole[i].re, dpole[i].im);
  return 0;
}
