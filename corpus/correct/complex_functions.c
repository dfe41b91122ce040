// Functions of <complex.h>: exponentials, logarithms, roots, powers, circular and hyperbolic functions and their inverses, in double and
// in single precision.
#include "adj.h"
#include <complex.h>
#include <stdio.h>

static double mixed(const double complex *z, int n) {
    double complex sum = 0, product = 1;
    for (int i = 0; i < n; i++) {
        sum += cexp(z[i]) / (1 + z[i] * conj(z[i])) + csin(z[i]) * ccosh(z[i]) - ctan(z[i]);
        product *= csqrt(z[i]) * cpow(z[i], 0.5 + 0.25 * I);
    }
    return cabs(sum) + creal(product) * carg(product) + cimag(clog(sum) * ctanh(product));
}

static double inverse(double complex z) {
    double complex w = casin(z) + 2 * cacos(z) * catan(z) + casinh(z) - catanh(z) * cacosh(z) + ccos(z) * csinh(z);
    return creal(w) + 0.5 * cimag(w);
}

static double of_parts(double x, double y) { return inverse(x + y * I); }

static float single(float complex *z) { return cabsf(cexpf(z[0]) * csqrtf(z[1])) + cargf(clogf(z[0])); }

int main(void) {
    double complex z[2] = {1 + 0.5 * I, 0.5 - 0.75 * I}, dz[2] = {0};
    __enzyme_autodiff(mixed, z, dz, 2);
    for (int i = 0; i < 2; i++)
        printf("%.8g %.8g\n", creal(dz[i]), cimag(dz[i]));
    double x[2] = {0.3, -0.4};
    __enzyme_autodiff(of_parts, x[0], enzyme_const, x[1]);
    __enzyme_autodiff(of_parts, enzyme_const, x[0], enzyme_out, x[1]);
    float complex s[2] = {0.5f + 0.25f * I, 2 - I}, ds[2] = {0};
    __enzyme_autodiff(single, s, ds);
    printf("%.4g %.4g\n", (double)crealf(ds[0]), (double)cimagf(ds[1]));
    return 0;
}
