/* Bundle adjustment, the objective of ADBench (Srajer, Kukelova, Fitzgibbon 2018, section 4.2): a point is rotated into the camera
 * (Rodrigues' formula), projected, distorted radially, scaled and shifted; the weighted difference from where it was seen is the
 * error. A camera has 11 parameters: rotation (3), centre (3), focal length, principal point (2), distortion (2). The
 * Jacobian is sparse: two rows of 15 for each observation, and one entry for the error of its weight. The size is the
 * number of observations. */
#include "adj.h"
#include "bench.h"

enum { CAMERA = 11, ROW = CAMERA + 3 + 1 };

static long P, CAMERAS, POINTS;
static double *cameras, *points, *weights, *seen, *jacobian;

static void rotate(const double *rotation, const double *x, double *out) {
  double square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
  if (square != 0.0) {
    double theta = sqrt(square), c = cos(theta), s = sin(theta), inverse = 1.0 / theta;
    double w[3], cross[3];
    for (int i = 0; i < 3; i++) w[i] = rotation[i] * inverse;
    cross[0] = w[1] * x[2] - w[2] * x[1];
    cross[1] = w[2] * x[0] - w[0] * x[2];
    cross[2] = w[0] * x[1] - w[1] * x[0];
    double dot = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * (1.0 - c);
    for (int i = 0; i < 3; i++) out[i] = x[i] * c + cross[i] * s + w[i] * dot;
  } else {
    out[0] = x[0] + rotation[1] * x[2] - rotation[2] * x[1];
    out[1] = x[1] + rotation[2] * x[0] - rotation[0] * x[2];
    out[2] = x[2] + rotation[0] * x[1] - rotation[1] * x[0];
  }
}

static void reprojection(const double *camera, const double *point, const double *weight, const double *feature,
                         double *error) {
  double moved[3], turned[3];
  for (int i = 0; i < 3; i++) moved[i] = point[i] - camera[3 + i];
  rotate(camera, moved, turned);
  double u = turned[0] / turned[2], v = turned[1] / turned[2];
  double r2 = u * u + v * v;
  double l = 1.0 + camera[9] * r2 + camera[10] * r2 * r2;
  error[0] = *weight * (u * l * camera[6] + camera[7] - feature[0]);
  error[1] = *weight * (v * l * camera[6] + camera[8] - feature[1]);
}

/* The adjoint by hand: adds to the adjoints of camera, point and weight. */
static void reprojection_adjoint(const double *camera, double *dcamera, const double *point, double *dpoint,
                                 const double *weight, double *dweight, const double *feature, const double *derror) {
  double x[3], y[3], w[3], cross[3];
  double c = 1.0, s = 0.0, inverse = 0.0, product = 0.0;
  for (int i = 0; i < 3; i++) x[i] = point[i] - camera[3 + i];
  double square = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
  int turns = square != 0.0;
  if (turns) {
    double theta = sqrt(square);
    c = cos(theta), s = sin(theta), inverse = 1.0 / theta;
    for (int i = 0; i < 3; i++) w[i] = camera[i] * inverse;
    cross[0] = w[1] * x[2] - w[2] * x[1];
    cross[1] = w[2] * x[0] - w[0] * x[2];
    cross[2] = w[0] * x[1] - w[1] * x[0];
    product = w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
    for (int i = 0; i < 3; i++) y[i] = x[i] * c + cross[i] * s + w[i] * product * (1.0 - c);
  } else {
    y[0] = x[0] + camera[1] * x[2] - camera[2] * x[1];
    y[1] = x[1] + camera[2] * x[0] - camera[0] * x[2];
    y[2] = x[2] + camera[0] * x[1] - camera[1] * x[0];
  }
  double depth = 1.0 / y[2], u = y[0] * depth, v = y[1] * depth;
  double r2 = u * u + v * v, l = 1.0 + camera[9] * r2 + camera[10] * r2 * r2, f = camera[6];
  *dweight += derror[0] * (u * l * f + camera[7] - feature[0]) + derror[1] * (v * l * f + camera[8] - feature[1]);
  double d0 = *weight * derror[0], d1 = *weight * derror[1];
  double along = d0 * u + d1 * v, dl = along * f;
  dcamera[6] += along * l;
  dcamera[7] += d0;
  dcamera[8] += d1;
  dcamera[9] += dl * r2;
  dcamera[10] += dl * r2 * r2;
  double dr2 = dl * (camera[9] + 2.0 * camera[10] * r2);
  double du = d0 * l * f + 2.0 * u * dr2, dv = d1 * l * f + 2.0 * v * dr2;
  double dy[3] = {du * depth, dv * depth, -(du * u + dv * v) * depth}, dx[3];
  if (turns) {
    double k = 1.0 - c, dproduct = 0.0, dc = 0.0, ds = 0.0, dw[3], dcross[3];
    for (int i = 0; i < 3; i++) {
      dx[i] = dy[i] * c;
      dcross[i] = dy[i] * s;
      dw[i] = dy[i] * product * k;
      dproduct += dy[i] * w[i];
      dc += dy[i] * x[i];
      ds += dy[i] * cross[i];
    }
    dc -= dproduct * product;
    dproduct *= k;
    for (int i = 0; i < 3; i++) {
      dx[i] += dproduct * w[i];
      dw[i] += dproduct * x[i];
    }
    dw[0] += x[1] * dcross[2] - x[2] * dcross[1];
    dw[1] += x[2] * dcross[0] - x[0] * dcross[2];
    dw[2] += x[0] * dcross[1] - x[1] * dcross[0];
    dx[0] += dcross[1] * w[2] - dcross[2] * w[1];
    dx[1] += dcross[2] * w[0] - dcross[0] * w[2];
    dx[2] += dcross[0] * w[1] - dcross[1] * w[0];
    double dtheta = ds * c - dc * s;
    for (int i = 0; i < 3; i++) dtheta -= dw[i] * w[i] * inverse;
    for (int i = 0; i < 3; i++) dcamera[i] += dw[i] * inverse + dtheta * w[i];
  } else {
    dcamera[0] += x[1] * dy[2] - x[2] * dy[1];
    dcamera[1] += x[2] * dy[0] - x[0] * dy[2];
    dcamera[2] += x[0] * dy[1] - x[1] * dy[0];
    dx[0] = dy[0] + camera[2] * dy[1] - camera[1] * dy[2];
    dx[1] = dy[1] + camera[0] * dy[2] - camera[2] * dy[0];
    dx[2] = dy[2] + camera[1] * dy[0] - camera[0] * dy[1];
  }
  for (int i = 0; i < 3; i++) {
    dpoint[i] += dx[i];
    dcamera[3 + i] -= dx[i];
  }
}

static double weight_error(double w) { return 1.0 - w * w; }
static double weight_error_adjoint(double w, double seed) { return -2.0 * w * seed; }

/* Which camera saw which point. */
static double *camera_of(long i) { return cameras + CAMERA * (i % CAMERAS); }
static double *point_of(long i) { return points + 3 * (i % POINTS); }

static void allocate(void) {
  cameras = bench_array(CAMERA * CAMERAS);
  points = bench_array(3 * POINTS);
  weights = bench_array(P);
  seen = bench_array(2 * P);
  jacobian = bench_array((2 * ROW + 1) * P);
}

static void bench_setup(long size) {
  P = size;
  CAMERAS = 1 + P / 650;
  POINTS = 1 + P / 4;
  allocate();
  bench_fill(cameras, CAMERA * CAMERAS, 0.3);
  bench_fill(points, 3 * POINTS, 1.0);
  bench_fill(weights, P, 1.0);
  bench_fill(seen, 2 * P, 2.0);
  for (long i = 0; i < CAMERAS; i++) {
    cameras[CAMERA * i + 5] -= 4.0;
    cameras[CAMERA * i + 6] += 2.0;
  }
}

/* The suite gives one camera, one point, one weight and one feature, and means as many of each as the first line says. */
static void bench_read(const char *path) {
  bench_open(path);
  CAMERAS = bench_count(1, 1e8);
  POINTS = bench_count(1, 1e8);
  P = bench_count(1, 1e8);
  allocate();
  bench_numbers(cameras, CAMERA);
  bench_numbers(points, 3);
  bench_numbers(weights, 1);
  bench_numbers(seen, 2);
  bench_close();
  for (long i = 1; i < CAMERAS; i++) memcpy(cameras + CAMERA * i, cameras, sizeof(double) * CAMERA);
  for (long i = 1; i < POINTS; i++) memcpy(points + 3 * i, points, sizeof(double) * 3);
  for (long i = 1; i < P; i++) weights[i] = weights[0];
  for (long i = 1; i < P; i++) memcpy(seen + 2 * i, seen, sizeof(double) * 2);
}

static double bench_primal(void) {
  double error[2], sum = 0.0;
  for (long i = 0; i < P; i++) {
    reprojection(camera_of(i), point_of(i), &weights[i], &seen[2 * i], error);
    sum += error[0] + error[1] + weight_error(weights[i]);
  }
  return sum;
}

/* A row of the Jacobian: the adjoints of one camera, one point and one weight. */
static void put(double *row, const double *dcamera, const double *dpoint, double dweight) {
  memcpy(row, dcamera, sizeof(double) * CAMERA);
  memcpy(row + CAMERA, dpoint, sizeof(double) * 3);
  row[CAMERA + 3] = dweight;
}

#ifdef BENCH_OVERLOADED
/* In overloaded/ba.cpp. */
void overloaded_gradient(const double *camera, const double *point, double weight, const double *feature, double *rows);

static void bench_gradient(void) {
  for (long i = 0; i < P; i++) {
    overloaded_gradient(camera_of(i), point_of(i), weights[i], &seen[2 * i], jacobian + (2 * ROW + 1) * i);
  }
}
#else
static void bench_gradient(void) {
  for (long i = 0; i < P; i++) {
    double camera[CAMERA], point[3], weight = weights[i], *rows = jacobian + (2 * ROW + 1) * i;
    memcpy(camera, camera_of(i), sizeof(camera));
    memcpy(point, point_of(i), sizeof(point));
    for (int r = 0; r < 2; r++) {
      double error[2], seed[2] = {r == 0 ? 1.0 : 0.0, r == 1 ? 1.0 : 0.0};
      double dcamera[CAMERA] = {0}, dpoint[3] = {0}, dweight = 0.0;
      __enzyme_autodiff((void *)reprojection, enzyme_dup, camera, dcamera, enzyme_dup, point, dpoint, enzyme_dup, &weight,
                        &dweight, enzyme_const, &seen[2 * i], enzyme_dupnoneed, error, seed);
      put(rows + ROW * r, dcamera, dpoint, dweight);
    }
    rows[2 * ROW] = __enzyme_autodiff((void *)weight_error, weight);
  }
}
#endif

static void bench_hand(void) {
  for (long i = 0; i < P; i++) {
    double *rows = jacobian + (2 * ROW + 1) * i;
    for (int r = 0; r < 2; r++) {
      double seed[2] = {r == 0 ? 1.0 : 0.0, r == 1 ? 1.0 : 0.0};
      double dcamera[CAMERA] = {0}, dpoint[3] = {0}, dweight = 0.0;
      reprojection_adjoint(camera_of(i), dcamera, point_of(i), dpoint, &weights[i], &dweight, &seen[2 * i], seed);
      put(rows + ROW * r, dcamera, dpoint, dweight);
    }
    rows[2 * ROW] = weight_error_adjoint(weights[i], 1.0);
  }
}

static const double *bench_result(long *n) {
  *n = (2 * ROW + 1) * P;
  return jacobian;
}

BENCH_MAIN_READING
