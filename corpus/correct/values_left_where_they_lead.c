/* Numbers that are left in arrays: in a loop that goes on while its counter is zero, which is what a loop of two iterations becomes, and at places
 * that are told by the numbers themselves. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

enum { N = 2 };

static double twice(double *a) {
  double x = 0.3;
  for (int i = 0; i < N; i++) {
    a[i] = x;
    x = 0.2 * (a[0] * a[i]) + a[1];
  }
  return x;
}

static double twice_with_a_test(double *a) {
  double x = 1.2;
  for (int i = 0; i < N; i++) {
    a[i] = x * a[1];
    if (a[i] < 0.5) continue;
    x = a[1] * a[0];
  }
  return x * x;
}

static double places(double *a) {
  double own[N] = {0.35, -1.1};
  if ((int)(4 * own[0]) > 0) {
    for (int i = 0; i < N; i++) own[i] = 0.5 * a[i];
    a[((int)(3 * a[0]) % N + N) % N] = a[0];
  }
  return own[0] * own[1] * a[0] * a[1];
}

/* Each of two numbers tells where the other goes. */
static double crossed(const double *p, double *restrict one, double *restrict other, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double x = sin(p[i]), y = cos(p[i] * x);
    one[i * 4 + ((int)(y * 3.0) & 3)] = x;
    other[i * 4 + ((int)(x * 3.0) & 3)] = y;
    total += exp(x * y) * x * y;
  }
  return total;
}

/* It tells where it goes itself. */
static double itself(const double *p, double *restrict one, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double x = p[i] * p[i] + 0.1;
    one[i * 4 + ((int)(x * 3.0) & 3)] = x;
    total += exp(x) * x;
  }
  return total;
}

/* The length is a remainder, and the loop may be left before its end. */
static double remainder_long(const double *p, const int *k) {
  double acc = 0.0, *own = malloc(4 * sizeof *own);
  for (int c = 0; c < 1 + k[0] % 5 % 4; c++) {
    own[c] = p[0] * p[1] - 0.3 * c;
    if (own[c] * p[1] > 1.3) goto out;
    acc += 0.1 * own[c] * own[c / 2];
  }
  acc *= 0.5;
out:
  free(own);
  return acc * acc;
}

int main(void) {
  int k[1] = {2};
  double a[3][N] = {{-0.3, 0.7}, {-1.2, 0.5}, {-0.9, 1.1}}, da[3][N] = {{1, 0}, {0, 1}, {1, 2}};
  double p[N] = {0.4, -0.9}, dp[N] = {0}, one[4 * N] = {0}, other[4 * N] = {0}, done[4 * N] = {0}, dother[4 * N] = {0};
  done[1] = 0.3, dother[2] = -0.4;
  __enzyme_autodiff((void *)twice, enzyme_dup, a[0], da[0]);
  __enzyme_autodiff((void *)twice_with_a_test, enzyme_dup, a[1], da[1]);
  __enzyme_autodiff((void *)places, enzyme_dup, a[2], da[2]);
  __enzyme_autodiff((void *)crossed, enzyme_dup, p, dp, enzyme_dup, one, done, enzyme_dup, other, dother, enzyme_const, N);
  __enzyme_autodiff((void *)itself, enzyme_dup, p, dp, enzyme_dup, one, done, enzyme_const, N);
  __enzyme_autodiff((void *)remainder_long, enzyme_dup, p, dp, enzyme_const, k);
  return !isfinite(dp[0] + dp[1] + da[0][0] + da[1][0] + da[2][0]);
}
