"""decimal: exact decimal numbers, of 28 digits where a division has no end."""
ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_DOWN, ROUND_UP = "ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_DOWN", "ROUND_UP"
ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_DOWN = "ROUND_FLOOR", "ROUND_CEILING", "ROUND_HALF_DOWN"
_PRECISION = 28


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class _Context:
    prec = _PRECISION
    rounding = ROUND_HALF_EVEN


_context = _Context()


def _start_again():
    _context.__dict__.clear()


def getcontext():
    return _context


def _shifted(unscaled, places, rounding):
    """`unscaled` with that many digits less, rounded."""
    unit = 10 ** places
    sign, whole = (-1, -unscaled) if unscaled < 0 else (1, unscaled)
    whole, rest = divmod(whole, unit)
    up = {ROUND_HALF_UP: 2 * rest >= unit, ROUND_HALF_DOWN: 2 * rest > unit, ROUND_DOWN: False, ROUND_UP: rest > 0,
          ROUND_HALF_EVEN: 2 * rest > unit or 2 * rest == unit and whole % 2 == 1,
          ROUND_FLOOR: rest > 0 and sign < 0, ROUND_CEILING: rest > 0 and sign > 0}[rounding]
    return sign * (whole + up)


class Decimal:
    def __new__(cls, value="0", context=None):
        self = object.__new__(cls)
        if isinstance(value, Decimal):
            self._unscaled, self._exponent, self._special = value._unscaled, value._exponent, value._special
        elif isinstance(value, int):
            self._unscaled, self._exponent, self._special = int(value), 0, None
        elif isinstance(value, float):
            numerator, denominator = value.as_integer_ratio()
            power = denominator.bit_length() - 1
            self._unscaled, self._exponent, self._special = numerator * 5 ** power, -power, None
        elif isinstance(value, str):
            self._unscaled, self._exponent, self._special = _parsed(value)
        else:
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        return self

    def _of(self, unscaled, exponent):
        made = Decimal(unscaled)
        made._exponent = exponent
        return made

    def _rounded(self):
        """At most 28 digits, as every operation gives."""
        digits = len(str(abs(self._unscaled)))
        if digits <= _context.prec:
            return self
        extra = digits - _context.prec
        return self._of(_shifted(self._unscaled, extra, ROUND_HALF_EVEN), self._exponent + extra)

    def _aligned(self, other):
        exponent = min(self._exponent, other._exponent)
        return (self._unscaled * 10 ** (self._exponent - exponent), other._unscaled * 10 ** (other._exponent - exponent),
                exponent)

    def __add__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        left, right, exponent = self._aligned(other)
        return self._of(left + right, exponent)._rounded()

    __radd__ = __add__

    def __sub__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else self + -other

    def __rsub__(self, other):
        return _operand(other) - self

    def __mul__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        return self._of(self._unscaled * other._unscaled, self._exponent + other._exponent)._rounded()

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        if other._unscaled == 0:
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        ideal = self._exponent - other._exponent
        extra = max(0, _context.prec + len(str(abs(other._unscaled))) - len(str(abs(self._unscaled))) + 1)
        quotient, rest = divmod(abs(self._unscaled) * 10 ** extra, abs(other._unscaled))
        if rest and quotient % 5 == 0:
            quotient += 1
        sign = -1 if (self._unscaled < 0) != (other._unscaled < 0) else 1
        made = self._of(sign * quotient, ideal - extra)._rounded()
        while made._exponent < ideal and made._unscaled % 10 == 0:
            made = self._of(made._unscaled // 10, made._exponent + 1)
        return made

    def __rtruediv__(self, other):
        return _operand(other) / self

    def __floordiv__(self, other):
        left, right, _ = self._aligned(_operand(other))
        quotient = abs(left) // abs(right)
        return Decimal(-quotient if (left < 0) != (right < 0) else quotient)

    def __mod__(self, other):
        left, right, exponent = self._aligned(_operand(other))
        rest = abs(left) % abs(right)
        return self._of(-rest if left < 0 else rest, exponent)

    def __pow__(self, n):
        value = Decimal(1)
        for _ in range(abs(int(n))):
            value = value * self
        return Decimal(1) / value if n < 0 else value

    def __neg__(self):
        return self._of(-self._unscaled, self._exponent)

    def __pos__(self):
        return self._rounded()

    def __abs__(self):
        return self._of(abs(self._unscaled), self._exponent)

    def quantize(self, exp, rounding=None, context=None):
        target = Decimal(exp)._exponent
        if target <= self._exponent:
            return self._of(self._unscaled * 10 ** (self._exponent - target), target)
        return self._of(_shifted(self._unscaled, target - self._exponent, rounding or _context.rounding), target)

    def __round__(self, digits=None):
        if digits is None:
            return int(self.quantize(Decimal(1), ROUND_HALF_EVEN))
        return self.quantize(self._of(1, -digits), ROUND_HALF_EVEN)

    def normalize(self, context=None):
        unscaled, exponent = self._unscaled, self._exponent
        if unscaled == 0:
            return Decimal(0)
        while unscaled % 10 == 0:
            unscaled, exponent = unscaled // 10, exponent + 1
        return self._of(unscaled, exponent)

    def is_nan(self):
        return self._special == "NaN"

    def as_tuple(self):
        digits = tuple(int(digit) for digit in str(abs(self._unscaled)))
        return (1 if self._unscaled < 0 else 0, digits, self._exponent)

    def sqrt(self):
        shift = 2 * _context.prec + (self._exponent % 2)
        root = int((self._unscaled * 10 ** shift) ** 0.5) if self._unscaled < 1 << 52 else 0
        n = self._unscaled * 10 ** shift
        root = root or n
        while True:
            better = (root + n // root) // 2
            if abs(better - root) <= 1:
                break
            root = better
        return self._of(better, (self._exponent - shift) // 2)._rounded().normalize()

    def __int__(self):
        if self._exponent >= 0:
            return self._unscaled * 10 ** self._exponent
        whole = abs(self._unscaled) // 10 ** -self._exponent
        return -whole if self._unscaled < 0 else whole

    __trunc__ = __int__

    def __float__(self):
        return float(str(self))

    def __bool__(self):
        return self._unscaled != 0

    def _compared(self, other):
        if isinstance(other, float):
            other = Decimal(other)
        left, right, _ = self._aligned(_operand(other))
        return left, right

    def __eq__(self, other):
        if not isinstance(other, (Decimal, int, float)):
            return False
        left, right = self._compared(other)
        return left == right

    def __lt__(self, other):
        left, right = self._compared(other)
        return left < right

    def __le__(self, other):
        left, right = self._compared(other)
        return left <= right

    def __gt__(self, other):
        left, right = self._compared(other)
        return left > right

    def __ge__(self, other):
        left, right = self._compared(other)
        return left >= right

    def __hash__(self):
        whole = int(self)
        return hash(whole) if self == whole else hash(float(self))

    def __str__(self):
        if self._special:
            return self._special
        sign, digits = ("-" if self._unscaled < 0 else ""), str(abs(self._unscaled))
        left = len(digits) + self._exponent
        if self._exponent <= 0 and left > -6:
            if self._exponent == 0:
                return sign + digits
            digits = digits.rjust(-self._exponent + 1, "0")
            return f"{sign}{digits[:self._exponent]}.{digits[self._exponent:]}"
        power = left - 1
        return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}E{'+' if power >= 0 else ''}{power}"

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, format):
        if format.endswith("f") and "." in format:
            places = int(format[:-1].rpartition(".")[2])
            text = str(self.quantize(self._of(1, -places)))
            return f"{int(text.split('.')[0]):,}" + text[text.find("."):] if "," in format else text
        return str(self) if not format else str.__format__(str(self), format)


def _operand(value):
    if isinstance(value, Decimal):
        return value
    return Decimal(value) if isinstance(value, int) else NotImplemented


def _parsed(text):
    plain = text.strip().replace("_", "")
    if plain.lower() in ("nan", "inf", "-inf", "infinity", "-infinity"):
        return 0, 0, {"nan": "NaN"}.get(plain.lower(), "-Infinity" if plain[0] == "-" else "Infinity")
    digits, mark, exponent = plain.lower().partition("e")
    whole, _, fraction = digits.partition(".")
    try:
        return int(whole + fraction), (int(exponent) if mark else 0) - len(fraction), None
    except ValueError:
        raise InvalidOperation("[<class 'decimal.ConversionSyntax'>]")
