// Initialisation by pthread_once, by three threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
  table = malloc(4 * sizeof *table);
  for (int i = 0; i < 4; i++)
    table[i] = i * i;
  printf("made\n");
}

static void *use(void *sum) {
  pthread_once(&once, make);
  for (int i = 0; i < 4; i++)
    *(int *)sum += table[i];
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int sums[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, use, &sums[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d %d\n", sums[0], sums[1], sums[2]);
  free(table);
  return 0;
}
