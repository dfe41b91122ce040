// Operations among all ranks that are only begun: waited for in another order on each rank, with others in between.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double all[32], parts[32], came[32], from_root[4], sum[4] = {0}, total[4] = {0}, part[4], mean, own = 0;
  MPI_Request requests[8];
  for (int i = 0; i < n * size; i++) parts[i] = (i + 1) * x[i % n] * x[i % n];
  for (int i = 0; i < n; i++) from_root[i] = rank == 0 ? sin(x[i]) : 0, own += x[i] * x[i];
  MPI_Ibcast(from_root, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(x, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ialltoall(parts, n, MPI_DOUBLE, came, n, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
  MPI_Allreduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // The root reads what it sends.
  own += rank == 0 ? from_root[1] * 3 : 0;
  MPI_Ireduce(x, total, n, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Iallgather(x, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD, &requests[4]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[5]);
  if (rank % 2 == 0) {
    MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[5], MPI_STATUS_IGNORE);
  } else {
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  }
  double result = mean * own;
  for (int i = 0; i < n; i++) result += sum[i] * from_root[i] * (rank + 1) + total[i] * total[i] * x[0];
  for (int i = 0; i < n * size; i++) result += all[i] * came[i] * (i + 1 + rank);
  MPI_Igather(x, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[6]);
  MPI_Wait(&requests[6], MPI_STATUS_IGNORE);
  for (int i = 0; rank == 0 && i < n * size; i++) all[i] = cos(all[i]) * (i + 1);
  MPI_Iscatter(all, n, MPI_DOUBLE, part, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[7]);
  MPI_Wait(&requests[7], MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) result += part[i] * x[i];
  return result;
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
