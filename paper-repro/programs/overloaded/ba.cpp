// Bundle adjustment for a tool with its own number type: the formulas of ../ba.c, one recording for each observation and one for the
// error of its weight.
#include "tool.hpp"

template <typename T>
static void rotate(const T *rotation, const T *x, T *out) {
  T square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
  if (square != 0.0) {
    T theta = sqrt(square), c = cos(theta), s = sin(theta), inverse = 1.0 / theta;
    T w[3], cross[3];
    for (int i = 0; i < 3; i++) w[i] = rotation[i] * inverse;
    cross[0] = w[1] * x[2] - w[2] * x[1];
    cross[1] = w[2] * x[0] - w[0] * x[2];
    cross[2] = w[0] * x[1] - w[1] * x[0];
    T dot = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * (1.0 - c);
    for (int i = 0; i < 3; i++) out[i] = x[i] * c + cross[i] * s + w[i] * dot;
  } else {
    out[0] = x[0] + rotation[1] * x[2] - rotation[2] * x[1];
    out[1] = x[1] + rotation[2] * x[0] - rotation[0] * x[2];
    out[2] = x[2] + rotation[0] * x[1] - rotation[1] * x[0];
  }
}

template <typename T>
static void reprojection(const T *camera, const T *point, const T &weight, const double *feature, T *error) {
  T moved[3], turned[3];
  for (int i = 0; i < 3; i++) moved[i] = point[i] - camera[3 + i];
  rotate(camera, moved, turned);
  T u = turned[0] / turned[2], v = turned[1] / turned[2];
  T r2 = u * u + v * v;
  T l = 1.0 + camera[9] * r2 + camera[10] * r2 * r2;
  error[0] = weight * (u * l * camera[6] + camera[7] - feature[0]);
  error[1] = weight * (v * l * camera[6] + camera[8] - feature[1]);
}

template <typename T>
static T weight_error(const T &w) {
  return 1.0 - w * w;
}

// The rows of one observation: twice 15 entries, then one.
extern "C" void overloaded_gradient(const double *camera, const double *point, double weight, const double *feature,
                                    double *rows) {
  {
    Recording recording;
    Real inputs[15], error[2];
    for (int i = 0; i < 11; i++) recording.input(inputs[i], camera[i]);
    for (int i = 0; i < 3; i++) recording.input(inputs[11 + i], point[i]);
    recording.input(inputs[14], weight);
    reprojection(inputs, inputs + 11, inputs[14], feature, error);
    for (Real &e : error) recording.output(e);
    const double first[2] = {1.0, 0.0}, second[2] = {0.0, 1.0}, *seeds[2] = {first, second};
    double *gradients[2] = {rows, rows + 15};
    recording.reverse(2, seeds, gradients);
  }
  Recording recording;
  Real w;
  recording.input(w, weight);
  Real error = weight_error(w);
  gradient_of(recording, error, rows + 30);
}
