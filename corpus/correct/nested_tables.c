// Three levels of arrays: a table of layers, each with an array of cells, each with a small matrix beside integers.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct cell {
  int visits;
  double m[2][2];
  float bias;
};
struct layer {
  long id;
  struct cell cells[3];
  float gain[2];
};

static double run(const double *x, int layers) {
  struct layer net[3];
  memset(net, 0, sizeof net);
  for (int l = 0; l < layers; l++) {
    net[l].id = l;
    for (int g = 0; g < 2; g++)
      net[l].gain[g] = (float)x[(l + g) % 4];
    for (int c = 0; c < 3; c++) {
      net[l].cells[c].visits = c;
      net[l].cells[c].bias = (float)(0.1 * x[c]);
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
          net[l].cells[c].m[i][k] = x[(l + c + i + k) % 4] * (i == k ? 1.0 : 0.25);
    }
  }
  struct cell spare = net[1].cells[2];
  net[0].cells[1] = spare;
  net[2] = net[0];
  double v[2] = {x[0], x[1]};
  for (int l = 0; l < layers; l++)
    for (int c = 0; c < 3; c++) {
      struct cell *cell = &net[l].cells[c];
      double a = cell->m[0][0] * v[0] + cell->m[0][1] * v[1] + cell->bias;
      double b = cell->m[1][0] * v[0] + cell->m[1][1] * v[1] + cell->visits;
      v[0] = a * net[l].gain[0];
      v[1] = b * net[l].gain[1] + (double)net[l].id;
    }
  return v[0] * v[1];
}

int main(void) {
  double x[4] = {0.4, -0.7, 1.1, 0.9}, d[4] = {0};
  __enzyme_autodiff((void *)run, enzyme_dup, x, d, enzyme_const, 3);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
