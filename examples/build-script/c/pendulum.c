/* The angle of a pendulum after a number of steps, and its sensitivities to what it started with. */
#include "adj.h"

#include <math.h>

static double angle(double start, double speed, double length, int steps) {
  const double dt = 0.01, gravity = 9.81;
  for (int i = 0; i < steps; i++) {
    speed -= dt * gravity / length * sin(start);
    start += dt * speed;
  }
  return start;
}

double pendulum_angle(double start, double speed, double length, int steps) {
  return angle(start, speed, length, steps);
}

struct sensitivities {
  double start, speed, length;
};

extern struct sensitivities __enzyme_autodiff_angle(void *, ...);

void pendulum_sensitivities(double start, double speed, double length, int steps, double *out) {
  struct sensitivities s = __enzyme_autodiff_angle((void *)angle, enzyme_out, start, enzyme_out, speed, enzyme_out, length,
                                                   enzyme_const, steps);
  out[0] = s.start;
  out[1] = s.speed;
  out[2] = s.length;
}
