// A lattice Boltzmann step in nine directions: equilibrium, relaxation and streaming between two lattices of cells, with a moving lid
// and walls that throw back; descriptor and cell are templates.
#include "adj.h"
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

template <class T> struct D2Q9 {
  static constexpr int q = 9;
  static constexpr int cx[q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  static constexpr int cy[q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static constexpr int opposite[q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  static constexpr T weight(int i) { return i == 0 ? T(4) / 9 : i < 5 ? T(1) / 9 : T(1) / 36; }
};

template <class T, template <class> class Lattice> class Cell {
  std::array<T, Lattice<T>::q> f{};

public:
  T &operator[](int i) { return f[i]; }
  const T &operator[](int i) const { return f[i]; }
  void collide(T omega) {
    using L = Lattice<T>;
    T rho = 0, ux = 0, uy = 0;
    for (int i = 0; i < L::q; i++) {
      rho += f[i];
      ux += f[i] * L::cx[i];
      uy += f[i] * L::cy[i];
    }
    ux /= rho;
    uy /= rho;
    for (int i = 0; i < L::q; i++) {
      T cu = L::cx[i] * ux + L::cy[i] * uy;
      T equilibrium = L::weight(i) * rho * (1 + 3 * cu + T(4.5) * cu * cu - T(1.5) * (ux * ux + uy * uy));
      f[i] += omega * (equilibrium - f[i]);
    }
  }
};

using Box = std::vector<Cell<double, D2Q9>>;

static double cavity(double viscosity, const double *lid, int n, int steps) {
  using L = D2Q9<double>;
  Box now(n * n), next(n * n);
  for (auto &cell : now)
    for (int i = 0; i < L::q; i++)
      cell[i] = L::weight(i);
  const double omega = 1.0 / (3.0 * viscosity + 0.5);
  for (int t = 0; t < steps; t++) {
    for (auto &cell : now)
      cell.collide(omega);
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        for (int i = 0; i < L::q; i++) {
          int tx = x + L::cx[i], ty = y + L::cy[i];
          if (tx < 0 || tx >= n || ty < 0)
            next[y * n + x][L::opposite[i]] = now[y * n + x][i];
          else if (ty >= n)
            next[y * n + x][L::opposite[i]] = now[y * n + x][i] - 6 * L::weight(i) * L::cx[i] * lid[x];
          else
            next[ty * n + tx][i] = now[y * n + x][i];
        }
    std::swap(now, next);
  }
  double energy = 0;
  for (auto &cell : now)
    energy += (cell[1] - cell[3]) * (cell[1] - cell[3]) + (cell[2] - cell[4]) * (cell[2] - cell[4]);
  return 1e3 * energy;
}

int main() {
  double lid[3] = {0.05, 0.1, 0.04}, dlid[3] = {0};
  double dviscosity = __enzyme_autodiff<double>((void *)cavity, enzyme_out, 0.12, enzyme_dup, lid, dlid, enzyme_const, 3, enzyme_const, 4);
  std::printf("%.12g %.12g %.12g %.12g\n", dviscosity, dlid[0], dlid[1], dlid[2]);
  return 0;
}
