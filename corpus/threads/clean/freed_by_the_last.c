// Each thread frees what it was given, and the results are freed after the join.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *sum(void *argument) {
  int *values = argument, *total = malloc(sizeof *total);
  *total = 0;
  for (int i = 0; i < 4; i++)
    *total += values[i];
  free(values);
  return total;
}

int main(void) {
  pthread_t threads[3];
  for (int t = 0; t < 3; t++) {
    int *values = malloc(4 * sizeof *values);
    for (int i = 0; i < 4; i++)
      values[i] = t * i;
    pthread_create(&threads[t], NULL, sum, values);
  }
  for (int t = 0; t < 3; t++) {
    void *total;
    pthread_join(threads[t], &total);
    printf("%d\n", *(int *)total);
    free(total);
  }
  return 0;
}
