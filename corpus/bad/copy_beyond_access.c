// adj-flags: -g0
// adj-exit: 3
// adj-message: the type of the moved data is not known at offset 8
// A copy of four numbers of which the function reads one: compiled without debug information, nothing says that the other three are
// numbers too. A gradient that copies the adjoint of the first alone is silently wrong.
#include "adj.h"
#include <string.h>

static double first_of_copy(const double *x, double *y) {
    y[0] *= x[0];
    memcpy(y, x, 4 * sizeof(double));
    return y[0];
}

int main(void) {
    double x[4] = {1, 2, 3, 4}, dx[4] = {0};
    double y[4] = {5, 6, 7, 8}, dy[4] = {1, 1, 1, 1};
    __enzyme_autodiff(first_of_copy, x, dx, y, dy);
    return 0;
}
