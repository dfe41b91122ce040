/* Gaussian mixture model, the objective of ADBench (Srajer, Kukelova, Fitzgibbon, "A benchmark of selected algorithmic
 * differentiation tools on some problems in computer vision and machine learning", 2018, section 4.1):
 *
 *   sum_i logsumexp_k(alpha_k + sum(q_k) - |Q_k (x_i - mu_k)|^2 / 2) - n logsumexp(alpha)
 *     + gamma^2/2 sum_k (|exp q_k|^2 + |l_k|^2) - m sum_k sum(q_k),
 *
 * where Q_k is lower triangular with exp(q_k) on its diagonal and l_k below it, stored by columns. The gradient is with
 * respect to alpha, mu, q and l. The size is 1000 * d + K; there are n = 1000 points. */
#include "adj.h"
#include "bench.h"

static int D, K, N = 1000;
static const double gamma_ = 1.0;
static const int wishart_m = 0;
static double *X, *params, *shadow;
static int below; /* entries below the diagonal */

static double logsumexp(int n, const double *x) {
  double most = x[0], sum = 0.0;
  for (int i = 1; i < n; i++)
    if (most < x[i]) most = x[i];
  for (int i = 0; i < n; i++) sum += exp(x[i] - most);
  return log(sum) + most;
}

/* out = Q v */
static void q_times(int d, const double *diagonal, const double *lower, const double *v, double *out) {
  int next = 0;
  for (int i = 0; i < d; i++) out[i] = diagonal[i] * v[i];
  for (int i = 0; i < d; i++)
    for (int j = i + 1; j < d; j++) out[j] += lower[next++] * v[i];
}

static double gmm(int d, int k, int n, const double *x, const double *p) {
  const double *alphas = p, *means = p + k, *icf = p + k + k * d;
  int width = d + d * (d - 1) / 2;
  double *diagonals = malloc(sizeof(double) * (size_t)(k * d));
  double *sums = malloc(sizeof(double) * (size_t)k);
  double *centred = malloc(sizeof(double) * (size_t)d);
  double *rotated = malloc(sizeof(double) * (size_t)d);
  double *terms = malloc(sizeof(double) * (size_t)k);
  double prior = 0.0;
  for (int j = 0; j < k; j++) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < d; i++) {
      double q = icf[j * width + i];
      sum += q;
      diagonals[j * d + i] = exp(q);
      squares += diagonals[j * d + i] * diagonals[j * d + i];
    }
    for (int i = d; i < width; i++) squares += icf[j * width + i] * icf[j * width + i];
    sums[j] = sum;
    prior += 0.5 * gamma_ * gamma_ * squares - wishart_m * sum;
  }
  double slse = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) {
      for (int l = 0; l < d; l++) centred[l] = x[i * d + l] - means[j * d + l];
      q_times(d, &diagonals[j * d], &icf[j * width + d], centred, rotated);
      double norm = 0.0;
      for (int l = 0; l < d; l++) norm += rotated[l] * rotated[l];
      terms[j] = alphas[j] + sums[j] - 0.5 * norm;
    }
    slse += logsumexp(k, terms);
  }
  free(diagonals);
  free(centred);
  free(rotated);
  free(terms);
  free(sums);
  return slse - n * logsumexp(k, alphas) + prior;
}

/* The adjoint by hand. A point's terms are kept until the weights of its components are known; what was rotated is
 * kept as well, so that nothing is computed twice. */
static void gmm_adjoint(int d, int k, int n, const double *x, const double *p, double *g) {
  const double *alphas = p, *means = p + k, *icf = p + k + k * d;
  double *dalphas = g, *dmeans = g + k, *dicf = g + k + k * d;
  int width = d + d * (d - 1) / 2;
  double *diagonals = malloc(sizeof(double) * (size_t)(k * d));
  double *ddiagonals = calloc((size_t)(k * d), sizeof(double));
  double *sums = calloc((size_t)k, sizeof(double));
  double *dsums = calloc((size_t)k, sizeof(double));
  double *centred = malloc(sizeof(double) * (size_t)(k * d));
  double *rotated = malloc(sizeof(double) * (size_t)(k * d));
  double *terms = malloc(sizeof(double) * (size_t)k);
  for (int j = 0; j < k; j++)
    for (int i = 0; i < d; i++) {
      diagonals[j * d + i] = exp(icf[j * width + i]);
      sums[j] += icf[j * width + i];
    }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) {
      double norm = 0.0;
      double *c = &centred[j * d], *r = &rotated[j * d];
      for (int l = 0; l < d; l++) c[l] = x[i * d + l] - means[j * d + l];
      q_times(d, &diagonals[j * d], &icf[j * width + d], c, r);
      for (int l = 0; l < d; l++) norm += r[l] * r[l];
      terms[j] = alphas[j] + sums[j] - 0.5 * norm;
    }
    double lse = logsumexp(k, terms);
    for (int j = 0; j < k; j++) {
      double w = exp(terms[j] - lse);
      const double *c = &centred[j * d], *r = &rotated[j * d];
      const double *lower = &icf[j * width + d];
      double *dlower = &dicf[j * width + d];
      dalphas[j] += w;
      dsums[j] += w;
      int next = 0;
      for (int a = 0; a < d; a++) {
        double dc = -w * r[a] * diagonals[j * d + a];
        ddiagonals[j * d + a] -= w * r[a] * c[a];
        for (int b = a + 1; b < d; b++, next++) {
          dlower[next] -= w * r[b] * c[a];
          dc -= w * r[b] * lower[next];
        }
        dmeans[j * d + a] -= dc;
      }
    }
  }
  double lse = logsumexp(k, alphas);
  for (int j = 0; j < k; j++) dalphas[j] -= n * exp(alphas[j] - lse);
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++) {
      double e = diagonals[j * d + i];
      dicf[j * width + i] += dsums[j] - wishart_m + (ddiagonals[j * d + i] + gamma_ * gamma_ * e) * e;
    }
    for (int i = d; i < width; i++) dicf[j * width + i] += gamma_ * gamma_ * icf[j * width + i];
  }
  free(diagonals);
  free(ddiagonals);
  free(sums);
  free(dsums);
  free(centred);
  free(rotated);
  free(terms);
}

static long length(void) { return K + (long)K * D + (long)K * (D + below); }

static void allocate(void) {
  below = D * (D - 1) / 2;
  X = bench_array((long)N * D);
  params = bench_array(length());
  shadow = bench_array(length());
}

static void bench_setup(long size) {
  D = (int)(size / 1000);
  K = (int)(size % 1000);
  if (D * K < 100) N = D * K < 20 ? 20 : 1000;
  allocate();
  bench_fill(X, (long)N * D, 2.0);
  bench_fill(params, length(), 0.5);
}

/* alpha, mu, then q and l of each component, the points, and gamma with m. */
static void bench_read(const char *path) {
  bench_open(path);
  D = (int)bench_count(1, 1e4);
  K = (int)bench_count(1, 1e4);
  N = (int)bench_count(1, 1e8);
  allocate();
  bench_numbers(params, length());
  bench_numbers(X, (long)N * D);
  if (bench_number() != gamma_ || bench_number() != wishart_m) bench_refuse("has other priors than gamma = 1 and m = 0");
  bench_close();
}

static double bench_primal(void) { return gmm(D, K, N, X, params); }

#ifdef BENCH_OVERLOADED
/* In overloaded/gmm.cpp. */
void overloaded_gradient(int d, int k, int n, const double *x, const double *p, double *gradient);

static void bench_gradient(void) { overloaded_gradient(D, K, N, X, params, shadow); }
#else
static void bench_gradient(void) {
  memset(shadow, 0, (size_t)length() * sizeof(double));
  __enzyme_autodiff((void *)gmm, enzyme_const, D, enzyme_const, K, enzyme_const, N, enzyme_const, X, enzyme_dup, params,
                    shadow);
}
#endif

static void bench_hand(void) {
  memset(shadow, 0, (size_t)length() * sizeof(double));
  gmm_adjoint(D, K, N, X, params, shadow);
}

static const double *bench_result(long *n) {
  *n = length();
  return shadow;
}

BENCH_MAIN_READING
