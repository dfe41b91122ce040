// adj-flags: -g0
// adj-levels: O1,O2,O3
// adj-exit: 3
// adj-message: the type of the moved integer is not known
// The optimiser makes one integer of a copy of one number. Compiled without debug information, nothing says that it is a number: a
// gradient that takes it for an integer loses its adjoint in silence.
#include "adj.h"
#include <string.h>

static double head_and_copy(const double *x, double *y) {
    y[0] *= x[0];
    memcpy(&y[1], &x[1], sizeof(double));
    return y[0];
}

int main(void) {
    double x[2] = {1, 2}, dx[2] = {0}, y[2] = {5, 6}, dy[2] = {1, 1};
    __enzyme_autodiff(head_and_copy, x, dx, y, dy);
    return 0;
}
