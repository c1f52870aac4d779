"""math: functions of numbers, those of the machine underneath."""
pi = 3.141592653589793
e = 2.718281828459045
tau = 2 * pi
inf = float("inf")
nan = float("nan")


def _of(name):
    def function(*numbers):
        return _native(name, [float(number) for number in numbers])

    function.__name__ = name
    return function


for _name in ("exp log2 log10 log1p expm1 sin cos tan asin acos atan atan2 sinh cosh tanh hypot degrees radians cbrt "
              "fmod copysign").split():
    globals()[_name] = _of(_name)


def sqrt(x):
    if x < 0:
        raise ValueError("math domain error")
    return float(x) ** 0.5


def log(x, base=None):
    if x <= 0:
        raise ValueError("math domain error")
    natural = _native("ln", [float(x)])
    return natural if base is None else natural / _native("ln", [float(base)])


def pow(x, y):
    return float(x) ** float(y)


def floor(x):
    whole = int(x)
    return whole - 1 if x < whole else whole


def ceil(x):
    whole = int(x)
    return whole + 1 if x > whole else whole


def trunc(x):
    return int(x)


def fabs(x):
    return abs(float(x))


def isnan(x):
    return x != x


def isinf(x):
    return x in (inf, -inf)


def isfinite(x):
    return not (isnan(x) or isinf(x))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


def gcd(*numbers):
    found = 0
    for number in numbers:
        a, b = found, abs(number)
        while b:
            a, b = b, a % b
        found = a
    return found


def lcm(*numbers):
    found = 1
    for number in numbers:
        found = found // gcd(found, number) * abs(number)
    return found


def factorial(n):
    value = 1
    for each in range(2, n + 1):
        value *= each
    return value


def comb(n, k):
    return factorial(n) // factorial(k) // factorial(n - k) if 0 <= k <= n else 0


def prod(numbers, *, start=1):
    for number in numbers:
        start = start * number
    return start


def fsum(numbers):
    return float(sum(numbers))


def modf(x):
    whole = float(int(x))
    return x - whole, whole


def isqrt(n):
    root = int(n ** 0.5)
    while root * root > n:
        root -= 1
    while (root + 1) * (root + 1) <= n:
        root += 1
    return root
