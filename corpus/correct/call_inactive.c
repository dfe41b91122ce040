// A call declared inactive where it stands: the same function, called as usual, is differentiated.
#include "adj.h"
#include <math.h>
#include <stdio.h>

double __enzyme_call_inactive(void *f, ...);

static double damping(double x) { return exp(-x * x); }

static double smoothed(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * __enzyme_call_inactive(damping, x[i]) + damping(0.5 * x[i]);
    return sum;
}

int main(void) {
    double x[3] = {0.5, -1, 2}, dx[3] = {0};
    __enzyme_autodiff(smoothed, x, dx, 3);
    for (int i = 0; i < 3; i++)
        printf("%.12g %.12g\n", dx[i], 2 * x[i] * exp(-x[i] * x[i]) - 0.5 * x[i] * exp(-0.25 * x[i] * x[i]));
    return 0;
}
