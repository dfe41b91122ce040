// A detached thread delivers its result some time; main sleeps "long enough".
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int result;

static void *compute(void *unused) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += i;
  result = sum; //~ race
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  pthread_detach(thread);
  usleep(20000);
  printf("%d\n", result); //~ race
  return 0;
}
