// The heat equation on a rod in C++: vectors, a class for the communicator, lambdas, exceptions left on.
// adj-ranks: 3
#include "differences.h"
#include <algorithm>
#include <vector>

namespace {

class Ring {
 public:
  explicit Ring(MPI_Comm parent) {
    MPI_Comm_dup(parent, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  ~Ring() { MPI_Comm_free(&comm_); }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  int before() const { return (rank_ + size_ - 1) % size_; }
  int behind() const { return (rank_ + 1) % size_; }

  void halo(std::vector<double> &u) const {
    std::vector<MPI_Request> requests(4);
    const int last = static_cast<int>(u.size()) - 1;
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, before(), 1, comm_, &requests[0]);
    MPI_Irecv(&u[last], 1, MPI_DOUBLE, behind(), 2, comm_, &requests[1]);
    MPI_Isend(&u[last - 1], 1, MPI_DOUBLE, behind(), 1, comm_, &requests[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, before(), 2, comm_, &requests[3]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  double sum(double mine) const {
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return all;
  }

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

double objective(double *x, int n) {
  Ring ring(MPI_COMM_WORLD);
  std::vector<double> u(n + 2, 0.0), next(n + 2, 0.0);
  std::copy(x, x + n, u.begin() + 1);
  auto flux = [](double a, double b) { return (b - a) * (1 + 0.1 * a * b); };
  for (int step = 0; step < 3; step++) {
    ring.halo(u);
    for (int i = 1; i <= n; i++) next[i] = u[i] + 0.2 * (flux(u[i], u[i + 1]) - flux(u[i - 1], u[i]));
    std::swap(u, next);
  }
  double energy = 0;
  for (int i = 1; i <= n; i++) energy += i * u[i] * u[i];
  return ring.sum(energy) * x[0];
}

}  // namespace

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff<void>((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
