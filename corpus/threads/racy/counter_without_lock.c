// Two threads count in one variable, and nothing keeps them apart.
#include <pthread.h>
#include <stdio.h>

static int hits;

static void *visit(void *unused) {
  for (int i = 0; i < 20; i++)
    hits++; //~ race
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, visit, NULL);
  pthread_create(&second, NULL, visit, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", hits);
  return 0;
}
