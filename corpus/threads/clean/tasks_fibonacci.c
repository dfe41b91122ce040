// Fork and join: each call detaches one half of the work, and reads its result only behind the sync.
#define ADJ_TASKS
#include "adj.h"
#include <stdio.h>

struct job {
  int n;
  long result;
};

static void fibonacci(void *data) {
  struct job *job = data;
  if (job->n < 2) {
    job->result = job->n;
    return;
  }
  struct adj_region region;
  struct job one = {job->n - 1, 0}, two = {job->n - 2, 0};
  __adj_detach(&region, fibonacci, &one);
  fibonacci(&two);
  __adj_sync(&region);
  job->result = one.result + two.result;
}

int main(void) {
  struct job job = {9, 0};
  fibonacci(&job);
  printf("%ld\n", job.result);
  return 0;
}
