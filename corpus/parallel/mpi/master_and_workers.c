// A master hands out work and takes the answers as they come; workers ask which task it is by its tag.
// adj-ranks: 3
#include "differences.h"
#define TASKS 5
#define STOP 99

static double work(double a, double b, int task) { return sin(a * (task + 1)) * b + a * b * b; }

static double master(double *x, int n, int size) {
  double sum = 0, task[2], answer;
  int sent = 0, done = 0;
  MPI_Status status;
  for (int worker = 1; worker < size && sent < TASKS; worker++, sent++) {
    task[0] = x[sent % n], task[1] = x[(sent + 1) % n];
    MPI_Send(task, 2, MPI_DOUBLE, worker, sent, MPI_COMM_WORLD);
  }
  while (done < sent) {
    MPI_Recv(&answer, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    sum += answer * (status.MPI_TAG + 1);
    done++;
    if (sent < TASKS) {
      task[0] = x[sent % n], task[1] = x[(sent + 1) % n];
      MPI_Send(task, 2, MPI_DOUBLE, status.MPI_SOURCE, sent++, MPI_COMM_WORLD);
    }
  }
  for (int worker = 1; worker < size; worker++) MPI_Send(NULL, 0, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
  return sum;
}

static void worker(double factor) {
  double task[2], answer;
  MPI_Status status;
  int count;
  for (;;) {
    MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Recv(task, count, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == STOP) break;
    answer = work(task[0], task[1], status.MPI_TAG) * factor;
    MPI_Send(&answer, 1, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD);
  }
}

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Which worker gets which task may differ from run to run, so they all have the same factor, which is the master's.
  double factor = x[0];
  MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) return master(x, n, size);
  worker(factor);
  return x[1] * x[1];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
