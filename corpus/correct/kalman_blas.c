// A Kalman filter whose matrices lie behind several levels of structures and pointers, with products and solves by BLAS and LAPACK: the
// log-likelihood of three observations, by the Cholesky factor of the innovation's covariance.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void cblas_dgemm(int layout, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);
void cblas_dgemv(int layout, int t, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta,
                 double *y, int incy);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b, const int *ldb, int *info);

enum { columns = 102, plain = 111, transposed = 112, n = 2 };

struct moments {
  double mean[n], covariance[n * n];
};
struct model {
  double *transition, *noise, *observation;
};
struct filter {
  struct model **model;
  struct moments *state;
};

static void product(int ta, int tb, double alpha, const double *a, const double *b, double beta, double *c) {
  cblas_dgemm(columns, ta, tb, n, n, n, alpha, a, n, b, n, beta, c, n);
}

static double observe(struct filter *f, const double *y) {
  const struct model *m = *f->model;
  struct moments *s = f->state;
  double predicted[n], t[n * n], p[n * n], innovation[n], cover[n * n], gain[n * n], weighted[n];
  int size = n, one = 1, info;
  cblas_dgemv(columns, plain, n, n, 1, m->transition, n, s->mean, 1, 0, predicted, 1);
  product(plain, plain, 1, m->transition, s->covariance, 0, t);
  memcpy(p, m->noise, sizeof p);
  product(plain, transposed, 1, t, m->transition, 1, p);
  memcpy(innovation, y, sizeof innovation);
  cblas_dgemv(columns, plain, n, n, -1, m->observation, n, predicted, 1, 1, innovation, 1);
  product(plain, plain, 1, m->observation, p, 0, gain);
  memcpy(cover, m->noise, sizeof cover);
  product(plain, transposed, 1, gain, m->observation, 1, cover);
  dpotrf_("L", &size, cover, &size, &info);
  memcpy(weighted, innovation, sizeof weighted);
  dpotrs_("L", &size, &one, cover, &size, weighted, &size, &info);
  double likelihood = -log(cover[0]) - log(cover[3]) - 0.5 * (weighted[0] * innovation[0] + weighted[1] * innovation[1]);
  cblas_dgemv(columns, transposed, n, n, 1, gain, n, weighted, 1, 1, predicted, 1);
  memcpy(t, gain, sizeof t);
  dpotrs_("L", &size, &size, cover, &size, t, &size, &info);
  product(transposed, plain, -1, gain, t, 1, p);
  memcpy(s->mean, predicted, sizeof predicted);
  memcpy(s->covariance, p, sizeof p);
  return likelihood;
}

static double likelihood(struct model *model, const double *y, int steps) {
  struct moments start = {{0.0, 1.0}, {1.0, 0.2, 0.2, 0.8}};
  struct filter f = {&model, &start};
  double sum = 0.0;
  for (int i = 0; i < steps; i++)
    sum += observe(&f, y + n * i);
  return sum;
}

int main(void) {
  double a[4] = {0.9, 0.1, 0.3, 0.8}, q[4] = {0.5, 0.1, 0.1, 0.4}, h[4] = {1.0, 0.2, 0.0, 1.0};
  double da[4] = {0}, dq[4] = {0}, dh[4] = {0}, y[6] = {0.3, 1.1, -0.2, 0.7, 0.5, 0.4}, dy[6] = {0};
  struct model m = {a, q, h}, dm = {da, dq, dh};
  __enzyme_autodiff((void *)likelihood, enzyme_dup, &m, &dm, enzyme_dup, y, dy, enzyme_const, 3);
  for (int i = 0; i < 4; i++)
    printf("%.10g %.10g %.10g %.10g\n", da[i], dq[i], dh[i], dy[i]);
  return 0;
}
