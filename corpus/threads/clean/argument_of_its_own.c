// Every thread is given the address of an argument of its own.
#include <pthread.h>
#include <stdio.h>

static int seen[4];

static void *work(void *argument) {
  int number = *(int *)argument;
  seen[number] = number * number;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  int numbers[4];
  for (int i = 0; i < 4; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d %d %d\n", seen[0], seen[1], seen[2], seen[3]);
  return 0;
}
