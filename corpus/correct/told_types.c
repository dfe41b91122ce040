// adj-flags: -g0
// Copies of numbers that the function does not read, compiled without debug information: calls say what lies in memory. One of the
// copies has a length that is known only at run time.
#include "adj.h"
#include <stdio.h>
#include <string.h>

void __enzyme_double(void *memory, size_t bytes);
void __enzyme_float(void *memory, size_t bytes);
void __enzyme_integer(void *memory, size_t bytes);

static double first(double *x, double *y, void *packet, void *sent, size_t bytes) {
    __enzyme_double(x, 4 * sizeof(double));
    y[0] *= x[0];
    memcpy(y, x, 4 * sizeof(double));
    __enzyme_integer(packet, 8);
    __enzyme_float((char *)packet + 8, 12);
    memmove(sent, packet, 20);
    for (size_t i = 0; i < bytes; i += sizeof(double))
        y[i / sizeof(double)] += 1;
    memcpy(x, y, bytes);
    return x[0] * x[1];
}

int main(void) {
    struct { int id, count; float value[3]; } p = {1, 2, {3, 4, 5}}, dp = {0}, s = {0}, ds = {0, 0, {1, 10, 100}};
    double x[4] = {1, 2, 3, 4}, dx[4] = {0, 0, 1, 0}, y[4] = {5, 6, 7, 8}, dy[4] = {1, 1, 1, 1};
    __enzyme_autodiff(first, x, dx, y, dy, &p, &dp, &s, &ds, 3 * sizeof(double));
    for (int i = 0; i < 4; i++)
        printf("%g %g\n", dx[i], dy[i]);
    printf("%d %g %g %g\n", dp.count, (double)dp.value[0], (double)dp.value[1], (double)dp.value[2]);
    return 0;
}
