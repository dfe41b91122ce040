// A volatile flag tells the compiler not to remove the loop; it orders nothing between threads.
#include <pthread.h>
#include <stdio.h>

static int answer;
static volatile int ready;

static void *produce(void *unused) {
  answer = 42;
  ready = 1; //~ race
  return unused;
}

static void *consume(void *unused) {
  while (!ready) //~ race
    ;
  printf("%d\n", answer);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, produce, NULL);
  pthread_create(&second, NULL, consume, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
