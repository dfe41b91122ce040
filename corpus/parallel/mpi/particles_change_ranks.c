// Records of numbers and integers: particles with a name, and how many there are is known to the sender alone. Then
// parts of records, by addresses.
// adj-ranks: 3
#include "differences.h"
#include <stddef.h>
#define MOST 6

struct particle {
  int name;
  double place[2], speed[2];
  char kind;
  double mass;
};

static MPI_Datatype of_particles(void) {
  int lengths[4] = {1, 4, 1, 1};
  MPI_Aint places[4] = {offsetof(struct particle, name), offsetof(struct particle, place),
                        offsetof(struct particle, kind), offsetof(struct particle, mass)};
  MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_DOUBLE}, record, padded;
  MPI_Type_create_struct(4, lengths, places, types, &record);
  MPI_Type_create_resized(record, 0, sizeof(struct particle), &padded);
  MPI_Type_free(&record);
  MPI_Type_commit(&padded);
  return padded;
}

static double objective(double *x, int n) {
  int rank, size, came;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size, leaving = rank % 3 + 1;
  struct particle here[MOST], there[MOST];
  for (int i = 0; i < MOST; i++) {
    double a = x[i % n] * (i + 1);
    here[i] = (struct particle){10 * rank + i, {sin(a), cos(a)}, {a, a * a}, 'e', 1 + a * a};
  }
  MPI_Datatype particles = of_particles(), speeds;
  MPI_Status status;
  MPI_Sendrecv(here, leaving, particles, right, 1, there, MOST, particles, left, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, particles, &came);
  double energy = 0;
  for (int i = 0; i < came; i++) {
    struct particle *p = &there[i];
    energy += 0.5 * p->mass * (p->speed[0] * p->speed[0] + p->speed[1] * p->speed[1]) * (p->name % 10 + 1);
    energy += p->place[0] * p->place[1] * x[0];
    p->speed[0] *= p->place[0];
  }
  // Of two records of the others, the speed alone and the mass, by addresses; the last come first.
  int lengths[3] = {2, 1, 2};
  MPI_Aint base, at[3];
  MPI_Get_address(here, &base);
  MPI_Get_address(&here[5].speed, &at[0]);
  MPI_Get_address(&here[5].mass, &at[1]);
  MPI_Get_address(&here[4].speed, &at[2]);
  for (int i = 0; i < 3; i++) at[i] -= base;
  MPI_Type_create_hindexed(3, lengths, at, MPI_DOUBLE, &speeds);
  MPI_Type_commit(&speeds);
  double numbers[5];
  MPI_Request requests[2];
  MPI_Irecv(numbers, 5, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(here, 1, speeds, left, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Bcast(here, 2, particles, 0, MPI_COMM_WORLD);
  MPI_Type_free(&speeds);
  MPI_Type_free(&particles);
  for (int i = 0; i < 5; i++) energy += (i + 1) * numbers[i] * numbers[i];
  return energy + here[1].mass * here[0].speed[1] * (rank + 1) + there[0].speed[0];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.2 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
