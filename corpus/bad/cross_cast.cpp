// A cast from one base class to another one: where the part lies that it finds is known at run time alone.
// adj-exit: 3
// adj-message: a `dynamic_cast` to another base class is not differentiated
#include "adj.h"

struct Heavy {
  virtual ~Heavy() = default;
  double mass = 1;
};

struct Charged {
  virtual ~Charged() = default;
  double charge = 2;
};

struct Ion : Heavy, Charged {};

static double force(const Heavy *heavy) {
  const Charged *charged = dynamic_cast<const Charged *>(heavy);
  return charged ? charged->charge * heavy->mass : heavy->mass;
}

static double both(const double *x) {
  Ion ion;
  ion.mass = x[0];
  ion.charge = x[1];
  return force(&ion);
}

int main() {
  double x[2] = {1, 2}, d[2] = {0};
  __enzyme_autodiff<void>((void *)both, enzyme_dup, x, d);
  return d[0] != 2;
}
