/* Hand tracking, the objective of ADBench (Taylor et al., "User-specific hand modeling from monocular depth sequences", 2014, as in
 * Srajer, Kukelova, Fitzgibbon 2018, section 4.3): 26 pose parameters - global rotation, translation, four angles for each
 * of five fingers - give a transform to each of 22 bones along the chain of their parents; vertices are blended from the
 * transforms of the bones by weights, moved by the global transform, and compared with measured points. The gradient is that of half
 * the sum of squares with respect to the pose. The size is the number of points; the model is made up, of the suite's shape
 * (544 vertices; a tenth of that for fewer than 10 points). */
#include "adj.h"
#include "bench.h"

enum { BONES = 22, THETA = 26 };

/* A transform: three rows of four, by rows. */
typedef double affine[12];

static int parents[BONES] = {-1, 0, 1, 2, 3, 4, 1, 6, 7, 8, 1, 10, 11, 12, 1, 14, 15, 16, 1, 18, 19, 20};
static int V, N;
static affine relative[BONES], inverse_absolute[BONES];
static double *vertices, *weights, *points, theta[THETA], gradient[THETA];
static int *correspondence;

static void multiply(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      double sum = j == 3 ? a[4 * i + 3] : 0.0;
      for (int k = 0; k < 3; k++) sum += a[4 * i + k] * b[4 * k + j];
      out[4 * i + j] = sum;
    }
  }
}

/* Rotations about x, then y, then z. */
static void from_euler(const double *angles, double *out) {
  double sx = sin(angles[0]), sy = sin(angles[1]), sz = sin(angles[2]);
  double cx = cos(angles[0]), cy = cos(angles[1]), cz = cos(angles[2]);
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

static void from_axis(const double *axis, double *r) {
  double norm = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (norm < 1e-4) {
    for (int i = 0; i < 9; i++) r[i] = i % 4 == 0 ? 1.0 : 0.0;
    return;
  }
  double x = axis[0] / norm, y = axis[1] / norm, z = axis[2] / norm, s = sin(norm), c = cos(norm);
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

/* Angles of the bones: of a finger's four, the first has two, the next two one each. */
static void pose(const double *t, double *angles) {
  for (int i = 0; i < 3 * BONES; i++) angles[i] = 0.0;
  int next = 6;
  for (int finger = 0; finger < 5; finger++) {
    for (int joint = 0; joint < 3; joint++) {
      double *at = angles + 3 * (2 + 4 * finger + joint);
      at[0] = t[next++];
      if (joint == 0) at[1] = t[next++];
    }
  }
}

static double objective(const double *t, const double *base, const double *blend, const double *measured,
                        const int *index, int v, int n) {
  double angles[3 * BONES], r[9], half = 0.0;
  affine turn, own, absolute[BONES], transform[BONES];
  pose(t, angles);
  for (int b = 0; b < BONES; b++) {
    from_euler(angles + 3 * b, turn);
    multiply(relative[b], turn, own);
    if (parents[b] < 0) {
      for (int i = 0; i < 12; i++) absolute[b][i] = own[i];
    } else {
      multiply(absolute[parents[b]], own, absolute[b]);
    }
    multiply(absolute[b], inverse_absolute[b], transform[b]);
  }
  from_axis(t, r);
  double *moved = malloc(sizeof(double) * 3 * (size_t)v);
  for (int i = 0; i < v; i++) {
    double p[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < BONES; b++) {
      double w = blend[i * BONES + b];
      for (int k = 0; k < 3; k++) {
        const double *row = transform[b] + 4 * k;
        p[k] += w * (row[0] * base[3 * i] + row[1] * base[3 * i + 1] + row[2] * base[3 * i + 2] + row[3]);
      }
    }
    for (int k = 0; k < 3; k++) moved[3 * i + k] = r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2] + t[3 + k];
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      double error = measured[3 * i + k] - moved[3 * index[i] + k];
      half += 0.5 * error * error;
    }
  }
  free(moved);
  return half;
}

/* Adds to da and db what the product a b passes on. */
static void multiply_adjoint(const double *a, double *da, const double *b, double *db, const double *dout) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double sum = 0.0;
      for (int j = 0; j < 4; j++) {
        sum += dout[4 * i + j] * b[4 * k + j];
        if (db) db[4 * k + j] += a[4 * i + k] * dout[4 * i + j];
      }
      da[4 * i + k] += sum;
    }
    da[4 * i + 3] += dout[4 * i + 3];
  }
}

static void from_euler_adjoint(const double *angles, double *dangles, const double *d) {
  double sx = sin(angles[0]), sy = sin(angles[1]), sz = sin(angles[2]);
  double cx = cos(angles[0]), cy = cos(angles[1]), cz = cos(angles[2]);
  dangles[0] += d[1] * (sx * sz + cx * sy * cz) + d[2] * (cx * sz - sx * sy * cz) + d[5] * (-sx * cz + cx * sy * sz) +
                d[6] * (-cx * cz - sx * sy * sz) + d[9] * cx * cy - d[10] * sx * cy;
  dangles[1] += -d[0] * sy * cz + d[1] * sx * cy * cz + d[2] * cx * cy * cz - d[4] * sy * sz + d[5] * sx * cy * sz +
                d[6] * cx * cy * sz - d[8] * cy - d[9] * sx * sy - d[10] * cx * sy;
  dangles[2] += -d[0] * cy * sz + d[1] * (-cx * cz - sx * sy * sz) + d[2] * (sx * cz - cx * sy * sz) + d[4] * cy * cz +
                d[5] * (-cx * sz + sx * sy * cz) + d[6] * (sx * sz + cx * sy * cz);
}

static void from_axis_adjoint(const double *axis, double *daxis, const double *d) {
  double norm = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (norm < 1e-4) return;
  double x = axis[0] / norm, y = axis[1] / norm, z = axis[2] / norm, s = sin(norm), c = cos(norm), k = 1 - c;
  double xy = d[1] + d[3], xz = d[2] + d[6], yz = d[5] + d[7], wx = d[7] - d[5], wy = d[2] - d[6], wz = d[3] - d[1];
  double dx = 2 * x * k * d[0] + y * k * xy + z * k * xz + s * wx;
  double dy = 2 * y * k * d[4] + x * k * xy + z * k * yz + s * wy;
  double dz = 2 * z * k * d[8] + x * k * xz + y * k * yz + s * wz;
  double dc = (1 - x * x) * d[0] + (1 - y * y) * d[4] + (1 - z * z) * d[8] - x * y * xy - x * z * xz - y * z * yz;
  double ds = x * wx + y * wy + z * wz;
  double along = dx * x + dy * y + dz * z, dnorm = ds * c - dc * s;
  daxis[0] += (dx - along * x) / norm + dnorm * x;
  daxis[1] += (dy - along * y) / norm + dnorm * y;
  daxis[2] += (dz - along * z) / norm + dnorm * z;
}

/* The adjoint by hand: the chain of bones is kept, the blended vertices are computed again while they are reversed. */
static void objective_adjoint(const double *t, double *dt, const double *base, const double *blend,
                              const double *measured, const int *index, int v, int n) {
  double angles[3 * BONES], dangles[3 * BONES] = {0}, r[9], dr[9] = {0};
  affine turn[BONES], own[BONES], absolute[BONES], transform[BONES];
  affine dabsolute[BONES] = {{0}}, dtransform[BONES] = {{0}};
  pose(t, angles);
  for (int b = 0; b < BONES; b++) {
    from_euler(angles + 3 * b, turn[b]);
    multiply(relative[b], turn[b], own[b]);
    if (parents[b] < 0) {
      memcpy(absolute[b], own[b], sizeof(affine));
    } else {
      multiply(absolute[parents[b]], own[b], absolute[b]);
    }
    multiply(absolute[b], inverse_absolute[b], transform[b]);
  }
  from_axis(t, r);
  double *blended = malloc(sizeof(double) * 6 * (size_t)v), *dmoved = blended + 3 * v;
  memset(dmoved, 0, sizeof(double) * 3 * (size_t)v);
  for (int i = 0; i < v; i++) {
    double p[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < BONES; b++) {
      double w = blend[i * BONES + b];
      for (int k = 0; k < 3; k++) {
        const double *row = transform[b] + 4 * k;
        p[k] += w * (row[0] * base[3 * i] + row[1] * base[3 * i + 1] + row[2] * base[3 * i + 2] + row[3]);
      }
    }
    for (int k = 0; k < 3; k++) blended[3 * i + k] = p[k];
  }
  for (int i = 0; i < n; i++) {
    const double *p = blended + 3 * index[i];
    for (int k = 0; k < 3; k++) {
      double at = r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2] + t[3 + k];
      dmoved[3 * index[i] + k] += at - measured[3 * i + k];
    }
  }
  for (int i = 0; i < v; i++) {
    const double *d = dmoved + 3 * i, *p = blended + 3 * i, *x = base + 3 * i;
    double dp[3];
    for (int k = 0; k < 3; k++) {
      dt[3 + k] += d[k];
      for (int j = 0; j < 3; j++) dr[3 * k + j] += d[k] * p[j];
      dp[k] = r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2];
    }
    for (int b = 0; b < BONES; b++) {
      double w = blend[i * BONES + b];
      for (int k = 0; k < 3; k++) {
        double *row = dtransform[b] + 4 * k, g = w * dp[k];
        for (int j = 0; j < 3; j++) row[j] += g * x[j];
        row[3] += g;
      }
    }
  }
  for (int b = BONES - 1; b >= 0; b--) {
    affine down = {0}, dturn = {0}, unused = {0};
    multiply_adjoint(absolute[b], dabsolute[b], inverse_absolute[b], 0, dtransform[b]);
    if (parents[b] < 0) {
      memcpy(down, dabsolute[b], sizeof(affine));
    } else {
      multiply_adjoint(absolute[parents[b]], dabsolute[parents[b]], own[b], down, dabsolute[b]);
    }
    multiply_adjoint(relative[b], unused, turn[b], dturn, down);
    from_euler_adjoint(angles + 3 * b, dangles + 3 * b, dturn);
  }
  from_axis_adjoint(t, dt, dr);
  int next = 6;
  for (int finger = 0; finger < 5; finger++) {
    for (int joint = 0; joint < 3; joint++) {
      const double *at = dangles + 3 * (2 + 4 * finger + joint);
      dt[next++] += at[0];
      if (joint == 0) dt[next++] += at[1];
    }
  }
  free(blended);
}

static void allocate(void) {
  vertices = bench_array(3L * V);
  weights = bench_array((long)V * BONES);
  points = bench_array(3L * N);
  correspondence = malloc(sizeof(int) * (size_t)N);
}

static void bench_setup(long size) {
  N = (int)size;
  V = N < 10 ? 5 : 544;
  allocate();
  for (int b = 0; b < BONES; b++) {
    double angles[3];
    bench_fill(angles, 3, 0.2);
    from_euler(angles, relative[b]);
    from_euler(angles, inverse_absolute[b]);
    for (int k = 0; k < 3; k++) {
      relative[b][4 * k + 3] = 0.3 * bench_uniform();
      inverse_absolute[b][4 * k + 3] = 0.3 * bench_uniform();
    }
  }
  bench_fill(vertices, 3L * V, 1.0);
  bench_fill(points, 3L * N, 1.0);
  bench_fill(theta, THETA, 0.5);
  for (int i = 0; i < V; i++) {
    double sum = 0.0;
    for (int b = 0; b < BONES; b++) sum += weights[i * BONES + b] = fmax(0.0, bench_uniform());
    for (int b = 0; b < BONES; b++) weights[i * BONES + b] /= sum;
  }
  for (int i = 0; i < N; i++) correspondence[i] = (int)((bench_uniform() + 1.0) * 0.4999 * V);
}

/* A file of the model's folder, which stands beside the input. */
static void open_model(const char *input, const char *name) {
  static char path[4096];
  const char *end = strrchr(input, '/');
  int folder = end ? (int)(end - input) + 1 : 0;
  snprintf(path, sizeof(path), "%.*smodel/%s", folder, input, name);
  bench_open(path);
}

/* The points with the vertices they belong to, and the pose; the model's bones (name, parent, two matrices of four rows) and
 * vertices (place, normal, texture, and the bones that move it with their weights). */
static void bench_read(const char *path) {
  bench_open(path);
  N = (int)bench_count(1, 1e8);
  if (bench_number() != THETA) bench_refuse("has another number of parameters than 26");
  V = 544;
  allocate();
  for (int i = 0; i < N; i++) {
    correspondence[i] = (int)bench_count(0, V - 1);
    bench_numbers(points + 3 * i, 3);
  }
  bench_numbers(theta, THETA);
  bench_close();
  open_model(path, "bones.txt");
  for (int b = 0; b < BONES; b++) {
    double rest[4];
    int c;
    bench_next();
    do c = getc(bench_file);
    while (c != ':' && c != EOF);
    parents[b] = (int)bench_count(-1, b - 1);
    bench_numbers(relative[b], 12);
    bench_numbers(rest, 4);
    bench_numbers(inverse_absolute[b], 12);
    bench_numbers(rest, 4);
  }
  bench_close();
  open_model(path, "vertices.txt");
  for (int i = 0; i < V; i++) {
    double rest[5];
    bench_numbers(vertices + 3 * i, 3);
    bench_numbers(rest, 5);
    for (long n = bench_count(0, BONES); n > 0; n--) {
      long b = bench_count(0, BONES - 1);
      weights[i * BONES + b] = bench_number();
    }
  }
  bench_close();
}

static double bench_primal(void) { return objective(theta, vertices, weights, points, correspondence, V, N); }

#ifdef BENCH_OVERLOADED
/* In overloaded/hand.cpp. */
void overloaded_gradient(const double *pose, const int *tree, const affine *links, const affine *inverse,
                         const double *base, const double *blend, const double *measured, const int *index, int v, int n,
                         double *to);

static void bench_gradient(void) {
  overloaded_gradient(theta, parents, relative, inverse_absolute, vertices, weights, points, correspondence, V, N,
                      gradient);
}
#else
static void bench_gradient(void) {
  memset(gradient, 0, sizeof(gradient));
  __enzyme_autodiff((void *)objective, enzyme_dup, theta, gradient, enzyme_const, vertices, enzyme_const, weights,
                    enzyme_const, points, enzyme_const, correspondence, enzyme_const, V, enzyme_const, N);
}
#endif

static void bench_hand(void) {
  memset(gradient, 0, sizeof(gradient));
  objective_adjoint(theta, gradient, vertices, weights, points, correspondence, V, N);
}

static const double *bench_result(long *n) {
  *n = THETA;
  return gradient;
}

BENCH_MAIN_READING
