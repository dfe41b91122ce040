// Contributions of edges to their nodes: two edges may end at one node.
// adj-flags: -fopenmp
#include <stdio.h>

enum { NODES = 12, EDGES = 24 };
static int target[EDGES];
static double force[NODES];

int main(void) {
  for (int e = 0; e < EDGES; e++)
    target[e] = e * 5 % NODES;
#pragma omp parallel for
  for (int e = 0; e < EDGES; e++)
    force[target[e]] += 0.5 * e; //~ race
  printf("%g\n", force[0]);
  return 0;
}
