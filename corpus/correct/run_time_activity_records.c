// Activity told at run time for records behind pointers: of two materials one may be its own shadow, and then keeps its value.
#include "adj.h"
#include <math.h>

extern int enzyme_runtime_activity;

struct material {
  double stiffness, damping;
};

static double settle(const struct material *left, const struct material *right, double load) {
  const struct material *softer = left->stiffness < right->stiffness ? left : right;
  double x = 0.0, v = 0.0;
  for (int i = 0; i < 5; i++) {
    double force = load - softer->stiffness * x - left->damping * v - 0.5 * right->damping * v;
    v += 0.1 * force;
    x += 0.1 * v;
  }
  return x * x + 0.1 * exp(-v);
}

int main(void) {
  struct material a = {2.0, 0.5}, b = {3.0, 0.25};
  for (int constant = 0; constant < 2; constant++) {
    struct material da = {0.0, 0.0}, db = {0.0, 0.0};
    __enzyme_autodiff((void *)settle, enzyme_runtime_activity, enzyme_dup, &a, &da, enzyme_dup, &b, constant ? &b : &db,
                      enzyme_const, 1.5);
    if (da.stiffness == 0.0 || (db.damping == 0.0) != constant || b.stiffness != 3.0) return 1;
  }
  return 0;
}
