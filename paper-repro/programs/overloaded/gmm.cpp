// Gaussian mixture for a tool with its own number type: the formulas of ../gmm.c.
#include "tool.hpp"

static const double gamma_ = 1.0;
static const int wishart_m = 0;

template <typename T>
static T logsumexp(int n, const T *x) {
  T most = x[0], sum = 0.0;
  for (int i = 1; i < n; i++)
    if (most < x[i]) most = x[i];
  for (int i = 0; i < n; i++) sum += exp(x[i] - most);
  return log(sum) + most;
}

template <typename T>
static void q_times(int d, const T *diagonal, const T *lower, const T *v, T *out) {
  int next = 0;
  for (int i = 0; i < d; i++) out[i] = diagonal[i] * v[i];
  for (int i = 0; i < d; i++)
    for (int j = i + 1; j < d; j++) out[j] += lower[next++] * v[i];
}

template <typename T>
static T gmm(int d, int k, int n, const double *x, const T *p) {
  const T *alphas = p, *means = p + k, *icf = p + k + k * d;
  int width = d + d * (d - 1) / 2;
  std::vector<T> diagonals(k * d), sums(k), centred(d), rotated(d), terms(k);
  T prior = 0.0;
  for (int j = 0; j < k; j++) {
    T sum = 0.0, squares = 0.0;
    for (int i = 0; i < d; i++) {
      const T &q = icf[j * width + i];
      sum += q;
      diagonals[j * d + i] = exp(q);
      squares += diagonals[j * d + i] * diagonals[j * d + i];
    }
    for (int i = d; i < width; i++) squares += icf[j * width + i] * icf[j * width + i];
    sums[j] = sum;
    prior += 0.5 * gamma_ * gamma_ * squares - wishart_m * sum;
  }
  T slse = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) {
      for (int l = 0; l < d; l++) centred[l] = x[i * d + l] - means[j * d + l];
      q_times(d, &diagonals[j * d], &icf[j * width + d], centred.data(), rotated.data());
      T norm = 0.0;
      for (int l = 0; l < d; l++) norm += rotated[l] * rotated[l];
      terms[j] = alphas[j] + sums[j] - 0.5 * norm;
    }
    slse += logsumexp(k, terms.data());
  }
  return slse - double(n) * logsumexp(k, alphas) + prior;
}

extern "C" void overloaded_gradient(int d, int k, int n, const double *x, const double *p, double *gradient) {
  Recording recording;
  std::vector<Real> params(k + k * d + k * (d + d * (d - 1) / 2));
  for (std::size_t i = 0; i < params.size(); i++) recording.input(params[i], p[i]);
  Real result = gmm(d, k, n, x, params.data());
  gradient_of(recording, result, gradient);
}
