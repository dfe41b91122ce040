// The buffer is freed when the work has been handed out, not when it has been done.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *sum(void *argument) {
  const int *values = argument;
  int total = 0;
  for (int i = 0; i < 4; i++)
    total += values[i]; //~ race
  return (void *)(long)total;
}

int main(void) {
  pthread_t thread;
  int *values = malloc(4 * sizeof *values);
  for (int i = 0; i < 4; i++)
    values[i] = i;
  pthread_create(&thread, NULL, sum, values);
  for (volatile int pause = 0; pause < 200; pause++)
    ;
  free(values); //~ race
  pthread_join(thread, NULL);
  printf("done\n");
  return 0;
}
