// Fork and join: two regions, of which only one is synced before the array is read.
#define ADJ_TASKS
#include "adj.h"
#include <stdio.h>

static double field[8];

static void left(void *unused) {
  (void)unused;
  for (int i = 0; i < 4; i++)
    field[i] = i; //~ race
}

static void right(void *unused) {
  (void)unused;
  for (int i = 4; i < 8; i++)
    field[i] = i;
}

int main(void) {
  struct adj_region first, second;
  __adj_detach(&first, left, 0);
  __adj_detach(&second, right, 0);
  __adj_sync(&second);
  double total = 0.0;
  for (int i = 0; i < 8; i++)
    total += field[i]; //~ race
  __adj_sync(&first);
  printf("%d\n", total >= 0.0);
  return 0;
}
