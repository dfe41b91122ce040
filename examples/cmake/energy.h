#ifndef ENERGY_H
#define ENERGY_H

double energy(const double *x, int n, double stiffness);

#endif
