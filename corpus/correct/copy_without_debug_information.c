// adj-flags: -g0
// Copies and fills of arrays and structures in a program compiled without debug information: declared types, accesses and tags
// alone tell what is moved, padding between fields included.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct particle {
    char kind;
    double mass;
    float speed;
    short flags;
    double position[2];
};

static double kinetic(const struct particle *p, struct particle *scratch, double *work, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        scratch[i] = p[i];
        scratch[i].speed *= 2;
        work[i] = scratch[i].mass * scratch[i].speed * scratch[i].speed;
        sum += scratch[i].position[0] * scratch[i].position[1];
    }
    double copy[3];
    memcpy(copy, work, sizeof copy);
    memset(work, 0, 2 * sizeof *work);
    for (int i = 0; i < n; i++)
        sum += work[i] + copy[i] * copy[i];
    return sum;
}

int main(void) {
    struct particle p[3] = {{'a', 1.5, 0.5f, 3, {1, 2}}, {'b', 0.25, 1.25f, 4, {3, -1}}, {'c', 2, -0.75f, 5, {0.5, 4}}};
    struct particle dp[3] = {0}, scratch[3] = {0}, dscratch[3] = {0};
    double work[3] = {0}, dwork[3] = {0};
    __enzyme_autodiff(kinetic, p, dp, scratch, dscratch, work, dwork, 3);
    for (int i = 0; i < 3; i++)
        printf("%.17g %.9g %.17g %.17g\n", dp[i].mass, dp[i].speed, dp[i].position[0], dp[i].position[1]);
    return 0;
}
