// Every collective operation once, compared with what its definition gives.
// adj-ranks: 4
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int bad = 0, one = rank + 1, all[8], sum, box[8], own[2], counts[8], places[8];
  for (int i = 0; i < size; i++) {
    counts[i] = i + 1;
    places[i] = i * (i + 1) / 2;
  }
  sum = rank == 2 ? 99 : 0;
  MPI_Bcast(&sum, 1, MPI_INT, 2, MPI_COMM_WORLD);
  bad += sum != 99;
  MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  bad += sum != (rank + 1) * (rank + 2) / 2;
  sum = 0;
  MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  bad += sum != rank * (rank + 1) / 2;
  MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) bad += all[i] != i + 1;
  MPI_Gather(&one, 1, MPI_INT, box, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (rank == 1) bad += box[3] != 4;
  MPI_Scatter(all, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
  bad += sum != rank + 1;
  for (int i = 0; i < size; i++) box[i] = 10 * rank + i;
  MPI_Alltoall(box, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) bad += all[i] != 10 * i + rank;
  MPI_Reduce_scatter_block(box, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  bad += sum != 10 * (size - 1) + rank;
  int mine[4] = {rank, rank, rank, rank}, joined[16];
  MPI_Gatherv(mine, rank + 1, MPI_INT, joined, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatterv(joined, counts, places, MPI_INT, mine, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  bad += mine[rank] != rank;
  struct {
    double value;
    int rank;
  } best = {(rank * 7) % 5, rank}, winner;
  MPI_Allreduce(&best, &winner, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  bad += winner.rank != 2;
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  (void)own;
  if (rank == 0) printf("%d\n", bad); // adj-prints: 0
  MPI_Finalize();
  return 0;
}
