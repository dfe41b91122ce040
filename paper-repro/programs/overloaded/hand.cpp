// Hand tracking for a tool with its own number type: the formulas of ../hand.c.
#include "tool.hpp"

enum { BONES = 22, THETA = 26 };

template <typename A, typename B, typename T>
static void multiply(const A *a, const B *b, T *out) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      T sum = 0.0;
      if (j == 3) sum = a[4 * i + 3];
      for (int k = 0; k < 3; k++) sum += a[4 * i + k] * b[4 * k + j];
      out[4 * i + j] = sum;
    }
  }
}

template <typename T>
static void from_euler(const T *angles, T *out) {
  T sx = sin(angles[0]), sy = sin(angles[1]), sz = sin(angles[2]);
  T cx = cos(angles[0]), cy = cos(angles[1]), cz = cos(angles[2]);
  out[0] = cy * cz;
  out[1] = -cx * sz + sx * sy * cz;
  out[2] = sx * sz + cx * sy * cz;
  out[4] = cy * sz;
  out[5] = cx * cz + sx * sy * sz;
  out[6] = -sx * cz + cx * sy * sz;
  out[8] = -sy;
  out[9] = sx * cy;
  out[10] = cx * cy;
  out[3] = out[7] = out[11] = 0.0;
}

template <typename T>
static void from_axis(const T *axis, T *r) {
  T norm = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (norm < 1e-4) {
    for (int i = 0; i < 9; i++) r[i] = i % 4 == 0 ? 1.0 : 0.0;
    return;
  }
  T x = axis[0] / norm, y = axis[1] / norm, z = axis[2] / norm, s = sin(norm), c = cos(norm);
  r[0] = x * x + (1 - x * x) * c;
  r[1] = x * y * (1 - c) - z * s;
  r[2] = x * z * (1 - c) + y * s;
  r[3] = x * y * (1 - c) + z * s;
  r[4] = y * y + (1 - y * y) * c;
  r[5] = y * z * (1 - c) - x * s;
  r[6] = x * z * (1 - c) - y * s;
  r[7] = z * y * (1 - c) + x * s;
  r[8] = z * z + (1 - z * z) * c;
}

template <typename T>
static void pose(const T *t, T *angles) {
  for (int i = 0; i < 3 * BONES; i++) angles[i] = 0.0;
  int next = 6;
  for (int finger = 0; finger < 5; finger++) {
    for (int joint = 0; joint < 3; joint++) {
      T *at = angles + 3 * (2 + 4 * finger + joint);
      at[0] = t[next++];
      if (joint == 0) at[1] = t[next++];
    }
  }
}

struct Model {
  const int *parents;
  const double (*relative)[12], (*inverse_absolute)[12];
  const double *base, *blend, *measured;
  const int *index;
  int v, n;
};

template <typename T>
static T objective(const T *t, const Model &m) {
  T angles[3 * BONES], r[9], half = 0.0;
  T turn[12], own[12], absolute[BONES][12], transform[BONES][12];
  pose(t, angles);
  for (int b = 0; b < BONES; b++) {
    from_euler(angles + 3 * b, turn);
    multiply(m.relative[b], turn, own);
    if (m.parents[b] < 0) {
      for (int i = 0; i < 12; i++) absolute[b][i] = own[i];
    } else {
      multiply(absolute[m.parents[b]], own, absolute[b]);
    }
    multiply(absolute[b], m.inverse_absolute[b], transform[b]);
  }
  from_axis(t, r);
  std::vector<T> moved(3 * m.v);
  for (int i = 0; i < m.v; i++) {
    T p[3];
    for (T &q : p) q = 0.0;
    for (int b = 0; b < BONES; b++) {
      double w = m.blend[i * BONES + b];
      for (int k = 0; k < 3; k++) {
        const T *row = transform[b] + 4 * k;
        const double *at = m.base + 3 * i;
        p[k] += w * (row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]);
      }
    }
    for (int k = 0; k < 3; k++) moved[3 * i + k] = r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2] + t[3 + k];
  }
  for (int i = 0; i < m.n; i++) {
    for (int k = 0; k < 3; k++) {
      T error = m.measured[3 * i + k] - moved[3 * m.index[i] + k];
      half += 0.5 * error * error;
    }
  }
  return half;
}

extern "C" void overloaded_gradient(const double *theta, const int *parents, const double (*relative)[12],
                                    const double (*inverse_absolute)[12], const double *base, const double *blend,
                                    const double *measured, const int *index, int v, int n, double *gradient) {
  Recording recording;
  Model model = {parents, relative, inverse_absolute, base, blend, measured, index, v, n};
  Real t[THETA];
  for (int i = 0; i < THETA; i++) recording.input(t[i], theta[i]);
  Real result = objective(t, model);
  gradient_of(recording, result, gradient);
}
