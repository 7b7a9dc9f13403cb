"""The sum of x ln x over all eigenvalues of a matrix, from determinants instead of eigenvalues.

On [0, 1], x ln x is x * LINEAR + x * x * SQUARE less the sum of w ln(1 + x / t) over 32 pairs (t, w), to
1.1e-11 (x + 1e-4). This is a quadrature of Gauss type for an integral over t of ln(1 + x / t); nodes and weights were
fitted by least squares in extended precision. Summed over the eigenvalues, a logarithm becomes the determinant of the
matrix plus t, which takes one pass over a tridiagonal matrix for eight t at a time: a hundredth of the time of an
eigenvalue solver. An eigenvalue 0 contributes exactly 0. Where no eigenvalue is below 1, nor above 1024, 12 pairs of
another fit do, with a constant: on [1/1024, 1] its error is at most 1e-13.
"""

from math import log

import numpy as np

from vnestruct.kernels.machine import internal, kernel
from vnestruct.kernels.vector import WIDTH, lane, load, splat, where_greater
from vnestruct.types import ValueArray

LINEAR, SQUARE = 3.404263620511155, 0.03135332236155013

SHIFTS = np.array([
    4.256138189880072e-15, 1.226712336250851e-13, 1.3125279089882044e-12, 9.004016259089343e-12,
    4.73915452039098e-11, 2.0825278009224106e-10, 8.012500299979535e-10, 2.7810374337964456e-09,
    8.885418869745334e-09, 2.6511838237883053e-08, 7.467111965395478e-08, 2.0017756941372234e-07,
    5.141711957725784e-07, 1.2724008901933615e-06, 3.048205525622824e-06, 7.100077903225052e-06,
    1.614652616573216e-05, 3.5994843296159575e-05, 7.896615969767304e-05, 0.00017111046276649231,
    0.0003674336214156484, 0.0007840905480245666, 0.001666613253690601, 0.0035351627198143207,
    0.007496579775235265, 0.015927089724428134, 0.034020214522524427, 0.07354213183285298,
    0.16312022580592472, 0.38283204727611503, 1.0268931383083155, 4.04778945501104,
    0.00010658567258847078, 0.0006395389333297148, 0.0019604437486981314, 0.004891643622064248,
    0.011176085945252339, 0.024424810834856463, 0.05217039200461615, 0.11070051137023218,
    0.23822027653993397, 0.5395481185014371, 1.3985092183181749, 5.369838414779796,
    1.0, 1.0, 1.0, 1.0,
])  # fmt: skip
"""The t of the quadrature: 32 for eigenvalues from 0 on, 12 for those from 1 on, and four that do not count."""

WEIGHTS = np.array([
    1.854682435395709e-14, 3.323189981065548e-13, 2.761746194891454e-12, 1.5976553535216685e-11,
    7.395389347886771e-11, 2.9317505450634855e-10, 1.0351465957297883e-09, 3.3378111745255255e-09,
    9.999119050642256e-09, 2.817646143396348e-08, 7.538681847728382e-08, 1.9291803346268076e-07,
    4.7503288288983613e-07, 1.131319335346594e-06, 2.6180938762813494e-06, 5.913633876069266e-06,
    1.3094385647998018e-05, 2.8544677670486133e-05, 6.15052409548419e-05, 0.0001314556977565192,
    0.00027950091815081917, 0.0005925058592304718, 0.0012544609510189164, 0.0026567439301798472,
    0.005638942851822641, 0.012032878833226455, 0.025971417133094216, 0.05740307733989051,
    0.13334227887200598, 0.3446388217541751, 1.1365562961825306, 7.275471514179338,
    0.00028204584287787283, 0.0008389628415469272, 0.0019329863229957626, 0.004205343305636099,
    0.008934381970838406, 0.018747851716440365, 0.03927562773733697, 0.08358554742874509,
    0.18663577289108513, 0.46626887801793887, 1.5040218525568712, 9.54352610616998,
    0.0, 0.0, 0.0, 0.0,
])  # fmt: skip
"""The w of the quadrature."""

CONSTANT = float(sum(w * log(t) for w, t in zip(WEIGHTS[:32], SHIFTS[:32], strict=True)))
"""The sum of w ln t: ln(1 + x / t) is ln(x + t) - ln t."""

SHORT, SHORT_CONSTANT, SHORT_LINEAR, SHORT_SQUARE = 1024.0, 15.536837043263123, 3.6779885731588577, 0.02392870387571171
"""The largest eigenvalue for which the last 12 pairs do, and their polynomial."""

FLUSH = 16
"""Pivots multiplied before their logarithm is taken: each is at least 1e-18 or so of the largest eigenvalue."""


@kernel
def x_log_x(x: float) -> float:
    """Return x ln x, and 0 for what rounding left of 0."""
    return x * log(x) if x > 0.0 else 0.0


@internal
def quadrature(largest: float, shift: float) -> tuple[int, int, float, float, float]:
    """Return the groups of t for eigenvalues from `shift` to `largest`, first and last + 1, and the polynomial."""
    if shift == 1.0 and largest <= SHORT:
        return 4, 6, SHORT_CONSTANT, SHORT_LINEAR, SHORT_SQUARE
    return 0, 4, CONSTANT, LINEAR, SQUARE


@internal
def weighted_logarithms(product: ValueArray, group: int) -> float:
    """Return the sum of w ln |x| over the lanes x for the t of a group."""
    total = 0.0
    for j in range(WIDTH):
        total += WEIGHTS[WIDTH * group + j] * log(abs(lane(product, j)))
    return total


@internal
def tridiagonal_sum(diagonal: ValueArray, off: ValueArray, k: int, shift: float) -> float:
    """Return the sum of x ln x over the eigenvalues, none below 0, of a tridiagonal matrix plus `shift`."""
    if k == 1:
        return x_log_x(diagonal[0] + shift)
    largest = 0.0
    trace = 0.0
    squares = 0.0
    before = 0.0
    for i in range(k):
        after = abs(off[i]) if i < k - 1 else 0.0
        x = diagonal[i] + shift
        largest = max(largest, x + before + after)
        trace += x
        squares += x * x + 2.0 * after * after
        before = after
    if largest <= 0.0:
        return 0.0
    first, last, constant, linear, square = quadrature(largest, shift)
    scale = 1.0 / largest
    total = linear * trace + square * squares * scale
    for group in range(first, last):
        shifts = load(SHIFTS, group)
        pivot = splat(1.0)
        product = splat(1.0)
        below2 = 0.0
        for i in range(k):
            pivot = splat((diagonal[i] + shift) * scale) + shifts - below2 / pivot
            # A pivot is 0 by accident only, at the smallest t: they hardly count, and any small number will do.
            pivot = where_greater(pivot * pivot, splat(1e-60), pivot, splat(1e-30))
            product *= pivot
            below2 = (off[i] * scale) * (off[i] * scale)
            if i % FLUSH == FLUSH - 1 or i == k - 1:
                total -= largest * weighted_logarithms(product, group)
                product = splat(1.0)
    return total + largest * constant * k + log(largest) * trace
