// The rows of a Jacobian as shadows: one block of memory, never cleared as a whole, holds the shadows of two arguments side by side.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void residual(const double *camera, const double *point, double *error) {
    error[0] = camera[0] * point[0] + camera[1];
    error[1] = camera[2] * point[1] * camera[0];
}

int main(void) {
    double camera[3] = {1, 2, 3}, point[2] = {4, 5}, error[2];
    double *jacobian = malloc(2 * 5 * sizeof *jacobian);
    for (int r = 0; r < 2; r++) {
        double *row = jacobian + 5 * r, seed[2] = {r == 0, r == 1};
        memset(row, 0, 5 * sizeof *row);
        __enzyme_autodiff(residual, enzyme_dup, camera, row, enzyme_dup, point, row + 3, enzyme_dupnoneed, error, seed);
    }
    for (int k = 0; k < 10; k++)
        printf("%g ", jacobian[k]);
    printf("\n");
    free(jacobian);
    return 0;
}
