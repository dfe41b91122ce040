// Every thread is given the address of the loop's counter, which goes on while they read it.
#include <pthread.h>
#include <stdio.h>

static int seen[4];

static void *work(void *argument) {
  int number = *(int *)argument; //~ race
  seen[number % 4] = 1; //~ race
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) //~ race
    pthread_create(&threads[i], NULL, work, &i);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("done\n");
  return 0;
}
