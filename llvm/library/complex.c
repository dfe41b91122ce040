/* Bodies of the functions of <complex.h> (C11, 7.3), by the real functions of <math.h>.
 *
 * The text is compiled once for each format: R is the real type, Z the complex one, N(name) a function's name in that format. The
 * definitions are those of the standard's principal values, in a form that does not cancel where a simple one is known (Kahan, Branch
 * Cuts for Complex Elementary Functions, 1987, for the square root). Results may differ from a C library's in the last digits, and
 * for infinities and NaN. */

static Z K(make)(R x, R y) {
    Z z;
    __real__ z = x;
    __imag__ z = y;
    return z;
}

/* i z and -i z, without the products that would turn an infinity into NaN. */
static Z K(left)(Z z) { return K(make)(-__imag__ z, __real__ z); }
static Z K(right)(Z z) { return K(make)(__imag__ z, -__real__ z); }

#ifndef IN_TABLE /* The table of rules has these two in double precision. */
R N(cabs)(Z z) { return N(hypot)(__real__ z, __imag__ z); }
R N(carg)(Z z) { return N(atan2)(__imag__ z, __real__ z); }
#endif
R N(creal)(Z z) { return __real__ z; }
R N(cimag)(Z z) { return __imag__ z; }
Z N(conj)(Z z) { return K(make)(__real__ z, -__imag__ z); }
Z N(cproj)(Z z) {
    if (__builtin_isinf(__real__ z) || __builtin_isinf(__imag__ z))
        return K(make)(INFINITY, N(copysign)(0, __imag__ z));
    return z;
}

Z N(cexp)(Z z) {
    R r = N(exp)(__real__ z), y = __imag__ z;
    return K(make)(r * N(cos)(y), r * N(sin)(y));
}

Z N(clog)(Z z) { return K(make)(N(log)(N(hypot)(__real__ z, __imag__ z)), N(atan2)(__imag__ z, __real__ z)); }

Z N(csqrt)(Z z) {
    R x = __real__ z, y = __imag__ z;
    if (x == 0 && y == 0)
        return K(make)(0, y);
    R t = N(sqrt)((N(fabs)(x) + N(hypot)(x, y)) / 2);
    if (x >= 0)
        return K(make)(t, y / (2 * t));
    return K(make)(N(fabs)(y) / (2 * t), N(copysign)(t, y));
}

Z N(cpow)(Z z, Z w) {
    if (__real__ z == 0 && __imag__ z == 0)
        return __real__ w == 0 && __imag__ w == 0 ? K(make)(1, 0) : K(make)(0, 0);
    return N(cexp)(w * N(clog)(z));
}

Z N(csin)(Z z) {
    R x = __real__ z, y = __imag__ z;
    return K(make)(N(sin)(x) * N(cosh)(y), N(cos)(x) * N(sinh)(y));
}
Z N(ccos)(Z z) {
    R x = __real__ z, y = __imag__ z;
    return K(make)(N(cos)(x) * N(cosh)(y), -(N(sin)(x) * N(sinh)(y)));
}
/* With t = tan y and s = sinh x: tanh(x + iy) = (cosh x · s · (1 + t²) + i t) / (1 + s² (1 + t²)). */
Z N(ctanh)(Z z) {
    R t = N(tan)(__imag__ z), s = N(sinh)(__real__ z), b = 1 + t * t;
    if (N(fabs)(__real__ z) > 20)
        return K(make)(N(copysign)(1, __real__ z), 4 * N(sin)(__imag__ z) * N(cos)(__imag__ z) * N(exp)(-2 * N(fabs)(__real__ z)));
    R d = 1 + b * s * s;
    return K(make)(b * N(cosh)(__real__ z) * s / d, t / d);
}
Z N(ctan)(Z z) { return K(right)(N(ctanh)(K(left)(z))); }
Z N(csinh)(Z z) { return K(right)(N(csin)(K(left)(z))); }
Z N(ccosh)(Z z) { return N(ccos)(K(left)(z)); }

/* asinh z = log(z + sqrt(z² + 1)); the other inverses follow from it and from the logarithm. */
Z N(casinh)(Z z) {
    R x = __real__ z;
    Z w = x < 0 ? -z : z;
    w = N(clog)(w + N(csqrt)(w * w + 1));
    return x < 0 ? -w : w;
}
Z N(casin)(Z z) { return K(right)(N(casinh)(K(left)(z))); }
Z N(cacos)(Z z) {
    Z w = N(casin)(z);
    return K(make)((R)1.57079632679489661923132169163975144L - __real__ w, -__imag__ w);
}
Z N(cacosh)(Z z) { return N(clog)(z + N(csqrt)(z + 1) * N(csqrt)(z - 1)); }
Z N(catanh)(Z z) {
    Z w = (N(clog)(1 + z) - N(clog)(1 - z));
    return K(make)(__real__ w / 2, __imag__ w / 2);
}
Z N(catan)(Z z) { return K(right)(N(catanh)(K(left)(z))); }
