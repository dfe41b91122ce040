// Records hold names beside numbers: functions for text read the names, and end in front of the numbers.
#include "adj.h"
#include <string.h>

struct item {
  double weight;
  char name[16];
  int length;
  double value;
};

static double f(const double *x, int n) {
  struct item items[4];
  memset(items, 0, sizeof items);
  for (int i = 0; i < n; i++) {
    strcpy(items[i].name, i % 2 ? "odd" : "even");
    strcat(items[i].name, "!");
    items[i].weight = x[i] * x[i];
    items[i].value = x[i];
    items[i].length = strlen(items[i].name);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (strcmp(items[i].name, "odd!") == 0)
      sum += items[i].weight;
    else
      sum += items[i].value * items[i].length * strlen(items[i].name);
    if (strchr(items[i].name, 'v'))
      sum += 2 * items[i].weight;
  }
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
