// Bundle adjustment's reprojection: Rodrigues rotation, perspective division, radial distortion.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static void rotate(const double *r, const double *p, double *out) {
  double sq = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (sq != 0.0) {
    double theta = sqrt(sq), c = cos(theta), s = sin(theta);
    double w[3], wxp[3];
    for (int i = 0; i < 3; i++)
      w[i] = r[i] / theta;
    cross(w, p, wxp);
    double t = (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]) * (1.0 - c);
    for (int i = 0; i < 3; i++)
      out[i] = p[i] * c + wxp[i] * s + w[i] * t;
  } else {
    double rxp[3];
    cross(r, p, rxp);
    for (int i = 0; i < 3; i++)
      out[i] = p[i] + rxp[i];
  }
}

// camera: rotation 3, centre 3, focal, principal point 2, distortion 2
static void reproject(const double *cam, const double *x, double weight, const double *feature, double *err) {
  double moved[3], rotated[3];
  for (int i = 0; i < 3; i++)
    moved[i] = x[i] - cam[3 + i];
  rotate(cam, moved, rotated);
  double u = rotated[0] / rotated[2], v = rotated[1] / rotated[2];
  double rsq = u * u + v * v;
  double l = 1.0 + cam[9] * rsq + cam[10] * rsq * rsq;
  err[0] = weight * (cam[6] * l * u + cam[7] - feature[0]);
  err[1] = weight * (cam[6] * l * v + cam[8] - feature[1]);
}

int main(void) {
  double cam[11] = {0.1, -0.2, 0.3, 0.5, 0.1, -2.0, 600.0, 320.0, 240.0, 0.01, -0.002}, dcam[11] = {0};
  double x[3] = {0.3, -0.6, 1.5}, dx[3] = {0}, feature[2] = {310.0, 250.0};
  double err[2] = {0}, derr[2] = {1.0, 0.5};
  double dw = __enzyme_autodiff((void *)reproject, enzyme_dup, cam, dcam, enzyme_dup, x, dx, enzyme_out, 0.9,
                                enzyme_const, feature, enzyme_dup, err, derr);
  printf("%.17g %.17g %.17g\n", err[0], err[1], dw);
  for (int i = 0; i < 11; i++)
    printf("%.17g\n", dcam[i]);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
