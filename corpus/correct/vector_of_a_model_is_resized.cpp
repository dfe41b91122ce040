// A model has a std::vector for its intermediate values, which each evaluation resizes. The vector of the shadow grows
// with it, and both are destroyed like any other.
#include <cmath>
#include <vector>

#include "adj.h"

struct Model {
    std::vector<double> layer;

    double eval(const double *x, int n) {
        layer.resize(n);
        for (int i = 0; i < n; i++)
            layer[i] = std::tanh(x[i]);
        double total = 0;
        for (int i = 0; i < n; i++)
            total += layer[i] * layer[i] * layer[(i + 1) % n] * layer[(i + 1) % n];
        return total;
    }
};

static double loss(const double *x, int n, Model *model) { return model->eval(x, n); }

int main() {
    const int n = 3;
    double x[n] = {0.7, -0.4, 1.2};
    Model model, shadow;
    for (int call = 0; call < 3; call++) {
        double dx[n] = {0};
        __enzyme_autodiff<double>((void *)loss, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, &model, &shadow);
        for (int i = 0; i < n; i++) {
            double y = std::tanh(x[i]), next = std::tanh(x[(i + 1) % n]), last = std::tanh(x[(i + 2) % n]);
            if (std::fabs(dx[i] - 2 * y * (1 - y * y) * (next * next + last * last)) > 1e-12)
                return 1;
        }
    }
    return 0;
}
