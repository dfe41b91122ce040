// The main thread ends by pthread_exit; the program goes on until its last thread ends, which waits for the other one.
#include <pthread.h>
#include <stdio.h>

static pthread_t counter;

static void *count(void *unused) {
  (void)unused;
  static int sum;
  for (int i = 0; i < 10; i++)
    sum += i;
  return &sum;
}

static void *report(void *unused) {
  void *sum;
  pthread_join(counter, &sum);
  printf("%d\n", *(int *)sum);
  return unused;
}

int main(void) {
  pthread_t last;
  pthread_create(&counter, NULL, count, NULL);
  pthread_create(&last, NULL, report, NULL);
  pthread_detach(last);
  pthread_exit(NULL);
}
