// A differentiated call whose result goes into a std::vector: were it to throw, the vector would have to be destroyed.
#include <cmath>
#include <vector>

#include "adj.h"

template <typename... Arguments> void *__enzyme_augmentfwd(void *, Arguments...);
template <typename... Arguments> void __enzyme_reverse(void *, Arguments...);

static double step(double height, double width) { return width * std::sin(height); }
static void move(double *height, double width) { height[0] += step(height[0], width); }

int main() {
    std::vector<double> slopes;
    for (int t = 0; t < 4; t++)
        slopes.push_back(__enzyme_autodiff<double>((void *)step, 0.1 * t, enzyme_const, 0.3));
    for (int t = 0; t < 4; t++)
        if (std::fabs(slopes[t] - 0.3 * std::cos(0.1 * t)) > 1e-12)
            return 1;
    double height[1] = {0.5}, weight[1] = {1};
    std::vector<void *> tapes;
    for (int t = 0; t < 3; t++)
        tapes.push_back(__enzyme_augmentfwd((void *)move, enzyme_dup, height, weight, enzyme_const, 0.3));
    for (int t = 2; t >= 0; t--)
        __enzyme_reverse((void *)move, enzyme_dup, height, weight, enzyme_const, 0.3, tapes[t]);
    double right = 1, at = 0.5;
    for (int t = 0; t < 3; t++) {
        right *= 1 + 0.3 * std::cos(at);
        at += 0.3 * std::sin(at);
    }
    return std::fabs(weight[0] - right) > 1e-12;
}
