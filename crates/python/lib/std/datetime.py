"""datetime: dates, times and spans between them."""
MINYEAR, MAXYEAR = 1, 9999
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    return 29 if month == 2 and _is_leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _ordinal(year, month, day):
    before = year - 1
    return (before * 365 + before // 4 - before // 100 + before // 400 + _BEFORE[month - 1]
            + (month > 2 and _is_leap(year)) + day)


def _civil(ordinal):
    """Year, month and day of a day's number."""
    n400, n = divmod(ordinal - 1, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + n100 * 100 + n4 * 4 + n1 + 1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 12
    while n < _BEFORE[month - 1] + (month > 2 and _is_leap(year)):
        month -= 1
    return year, month, n - _BEFORE[month - 1] - (month > 2 and _is_leap(year)) + 1


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        micros = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000_000
        micros += seconds * 1_000_000 + milliseconds * 1000 + microseconds
        self._micros = round(micros)

    @property
    def days(self):
        return self._micros // 86_400_000_000

    @property
    def seconds(self):
        return self._micros % 86_400_000_000 // 1_000_000

    @property
    def microseconds(self):
        return self._micros % 1_000_000

    def total_seconds(self):
        return self._micros / 1_000_000

    def _like(self, micros):
        return timedelta(microseconds=micros)

    def __add__(self, other):
        return self._like(self._micros + other._micros) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return self._like(self._micros - other._micros) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return self._like(-self._micros)

    def __abs__(self):
        return self._like(abs(self._micros))

    def __mul__(self, other):
        return self._like(self._micros * other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._micros / other._micros if isinstance(other, timedelta) else self._like(self._micros / other)

    def __floordiv__(self, other):
        return self._micros // other._micros if isinstance(other, timedelta) else self._like(self._micros // other)

    def __mod__(self, other):
        return self._like(self._micros % other._micros)

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._micros == other._micros

    def __lt__(self, other):
        return self._micros < other._micros

    def __le__(self, other):
        return self._micros <= other._micros

    def __gt__(self, other):
        return self._micros > other._micros

    def __ge__(self, other):
        return self._micros >= other._micros

    def __hash__(self):
        return hash(self._micros)

    def __bool__(self):
        return self._micros != 0

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}:{minutes:02d}:{seconds:02d}" + (f".{self.microseconds:06d}" if self.microseconds else "")
        return f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}" if self.days else text

    def __repr__(self):
        parts = [f"{name}={getattr(self, name)}" for name in ("days", "seconds", "microseconds") if getattr(self, name)]
        return "datetime.timedelta(" + (", ".join(parts) or "0") + ")"


class tzinfo:
    pass


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        if self._name:
            return self._name
        return "UTC" + (_offset_text(self._offset) if self._offset else "")

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        return "datetime.timezone.utc" if self is timezone.utc else f"datetime.timezone({self._offset!r})"


def _offset_text(offset, colon=":"):
    minutes = offset // timedelta(minutes=1)
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{sign}{minutes // 60:02d}{colon}{minutes % 60:02d}"


timezone.utc = timezone(timedelta(0))
UTC = timezone.utc


def _formatted(value, format):
    out, letters = [], iter(format)
    for letter in letters:
        if letter != "%":
            out.append(letter)
            continue
        code = next(letters, "%")
        hour = getattr(value, "hour", 0)
        if code == "f":
            out.append(f"{getattr(value, 'microsecond', 0):06d}")
        elif code in "HMS":
            out.append(f"{getattr(value, {'H': 'hour', 'M': 'minute', 'S': 'second'}[code], 0):02d}")
        elif code == "I":
            out.append(f"{hour % 12 or 12:02d}")
        elif code == "p":
            out.append("AM" if hour < 12 else "PM")
        elif code == "Y":
            out.append(f"{value.year:04d}")
        elif code == "y":
            out.append(f"{value.year % 100:02d}")
        elif code in "md":
            out.append(f"{value.month if code == 'm' else value.day:02d}")
        elif code == "j":
            out.append(f"{_ordinal(value.year, value.month, value.day) - _ordinal(value.year, 1, 1) + 1:03d}")
        elif code in "Bb":
            out.append(_MONTHS[value.month - 1][:None if code == "B" else 3])
        elif code in "Aa":
            out.append(_DAYS[value.weekday()][:None if code == "A" else 3])
        elif code == "z":
            zone = getattr(value, "tzinfo", None)
            out.append(_offset_text(zone.utcoffset(value), "") if zone else "")
        elif code == "Z":
            zone = getattr(value, "tzinfo", None)
            out.append(zone.tzname(value) if zone else "")
        elif code == "F":
            out.append(f"{value.year:04d}-{value.month:02d}-{value.day:02d}")
        elif code == "T":
            out.append(_formatted(value, "%H:%M:%S"))
        else:
            out.append("%" if code == "%" else "%" + code)
    return "".join(out)


class date:
    def __new__(cls, year, month=None, day=None):
        self = object.__new__(cls)
        for what, number, low, high in (("year", year, 1, 9999), ("month", month, 1, 12)):
            if not low <= number <= high:
                raise ValueError(f"{what} {number} is out of range" if what == "year" else "month must be in 1..12")
        if not 1 <= day <= _days_in(year, month):
            raise ValueError("day is out of range for month")
        self.year, self.month, self.day = year, month, day
        return self

    @classmethod
    def today(cls):
        moment = datetime.now()
        return cls(moment.year, moment.month, moment.day)

    @classmethod
    def fromordinal(cls, n):
        return cls(*_civil(n))

    @classmethod
    def fromisoformat(cls, text):
        try:
            return cls(int(text[0:4]), int(text[5:7]), int(text[8:10]))
        except (ValueError, IndexError):
            raise ValueError(f"Invalid isoformat string: {text!r}")

    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def strftime(self, format):
        return _formatted(self, format)

    def replace(self, year=None, month=None, day=None):
        return type(self)(year or self.year, month or self.month, day or self.day)

    def _key(self):
        return (self.toordinal(),)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self).fromordinal(self.toordinal() + other.days)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _same_kind(self, other):
        return isinstance(other, date) and isinstance(self, datetime) == isinstance(other, datetime)

    def __eq__(self, other):
        return self._same_kind(other) and self._key() == other._key()

    def _compared(self, other):
        if not self._same_kind(other):
            raise TypeError(f"can't compare {_full_name(self)} to {_full_name(other)}")
        return self._key(), other._key()

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
        return hash(self._key())

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def __format__(self, format):
        return self.strftime(format) if format else str(self)

    def timetuple(self):
        return (self.year, self.month, self.day, 0, 0, 0, self.weekday(), 0, -1)


def _full_name(value):
    name = type(value).__name__
    return "datetime." + name if isinstance(value, date) else name


class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo

    def isoformat(self):
        text = f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        return text + (f".{self.microsecond:06d}" if self.microsecond else "")

    __str__ = isoformat

    def strftime(self, format):
        return _formatted(self, format)

    def __eq__(self, other):
        return isinstance(other, time) and self.isoformat() == other.isoformat()

    def __lt__(self, other):
        return self.isoformat() < other.isoformat()

    def __repr__(self):
        parts = [self.hour, self.minute] + ([self.second] if self.second or self.microsecond else [])
        return "datetime.time(" + ", ".join(map(str, parts + ([self.microsecond] if self.microsecond else []))) + ")"


class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        self = date.__new__(cls, year, month, day)
        for what, number, limit in (("hour", hour, 24), ("minute", minute, 60), ("second", second, 60),
                                    ("microsecond", microsecond, 1_000_000)):
            if not 0 <= number < limit:
                raise ValueError(f"{what} must be in 0..{limit - 1}")
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo
        return self

    @classmethod
    def now(cls, tz=None):
        from pyspark.errors import _ask

        moment = cls(1970, 1, 1) + timedelta(microseconds=_ask({"do": "now"})["micros"])
        return moment.replace(tzinfo=timezone.utc).astimezone(tz) if tz is not None else moment

    today = utcnow = now

    @classmethod
    def fromtimestamp(cls, seconds, tz=None):
        moment = cls(1970, 1, 1) + timedelta(seconds=seconds)
        return moment.replace(tzinfo=timezone.utc).astimezone(tz) if tz is not None else moment

    utcfromtimestamp = fromtimestamp

    @classmethod
    def fromordinal(cls, n):
        return cls(*_civil(n))

    @classmethod
    def combine(cls, day, clock, tzinfo=None):
        return cls(day.year, day.month, day.day, clock.hour, clock.minute, clock.second, clock.microsecond, tzinfo)

    @classmethod
    def fromisoformat(cls, text):
        try:
            day = [int(text[0:4]), int(text[5:7]), int(text[8:10])]
            rest, zone = text[11:], None
            if rest.endswith("Z"):
                rest, zone = rest[:-1], timezone.utc
            for sign in "+-":
                if sign in rest:
                    rest, offset = rest.split(sign)
                    hours, minutes = int(offset[:2]), int(offset[-2:])
                    zone = timezone(timedelta(hours=hours, minutes=minutes) * (1 if sign == "+" else -1))
            clock, _, fraction = rest.partition(".")
            parts = [int(part) for part in clock.split(":")] if clock else []
            micros = int(fraction.ljust(6, "0")[:6]) if fraction else 0
            parts += [0] * (3 - len(parts))
            return cls(*day, *parts, micros, zone)
        except (ValueError, IndexError):
            raise ValueError(f"Invalid isoformat string: {text!r}")

    @classmethod
    def strptime(cls, text, format):
        found, at, letters = {}, 0, iter(format)
        for letter in letters:
            if letter != "%":
                if text[at:at + 1] != letter:
                    raise ValueError(f"time data {text!r} does not match format {format!r}")
                at += 1
                continue
            code = next(letters)
            if code in "bB":
                month = next((i for i, name in enumerate(_MONTHS, 1) if text[at:].lower().startswith(
                    (name if code == "B" else name[:3]).lower())), None)
                if month is None:
                    raise ValueError(f"time data {text!r} does not match format {format!r}")
                found["m"], at = month, at + len(_MONTHS[month - 1] if code == "B" else _MONTHS[month - 1][:3])
                continue
            width = {"Y": 4, "f": 6}.get(code, 2)
            digits = 0
            while digits < width and text[at + digits:at + digits + 1].isdigit():
                digits += 1
            if not digits or code not in "YmdHMSfyI":
                raise ValueError(f"time data {text!r} does not match format {format!r}")
            number = text[at:at + digits]
            found[code] = int(number.ljust(6, "0")) if code == "f" else int(number)
            at += digits
        if at < len(text):
            raise ValueError(f"unconverted data remains: {text[at:]}")
        year = found.get("Y", 2000 + found["y"] if "y" in found else 1900)
        return cls(year, found.get("m", 1), found.get("d", 1), found.get("H", 0), found.get("M", 0), found.get("S", 0),
                   found.get("f", 0))

    def _micros(self):
        seconds = ((self.toordinal() * 24 + self.hour) * 60 + self.minute) * 60 + self.second
        return seconds * 1_000_000 + self.microsecond

    def _key(self):
        offset = self.tzinfo.utcoffset(self)._micros if self.tzinfo is not None else 0
        return (self._micros() - offset,)

    def utcoffset(self):
        return self.tzinfo.utcoffset(self) if self.tzinfo is not None else None

    def astimezone(self, tz=None):
        tz = tz or timezone.utc
        offset = self.tzinfo.utcoffset(self) if self.tzinfo is not None else timedelta(0)
        return (self.replace(tzinfo=None) - offset + tz.utcoffset(self)).replace(tzinfo=tz)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timestamp(self):
        return (self._key()[0] - _ordinal(1970, 1, 1) * 86_400_000_000) / 1_000_000

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=False):
        def kept(new, old):
            return old if new is None else new

        return datetime(
            year or self.year, month or self.month, day or self.day, kept(hour, self.hour), kept(minute, self.minute),
            kept(second, self.second), kept(microsecond, self.microsecond), self.tzinfo if tzinfo is False else tzinfo)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        days, micros = divmod(self._micros() + other._micros, 86_400_000_000)
        seconds, micro = divmod(micros, 1_000_000)
        year, month, day = _civil(days)
        return datetime(year, month, day, seconds // 3600, seconds // 60 % 60, seconds % 60, micro, self.tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if isinstance(other, datetime):
            return timedelta(microseconds=self._key()[0] - other._key()[0])
        return NotImplemented

    def isoformat(self, sep="T", timespec="auto"):
        clock = f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        if self.microsecond and timespec == "auto":
            clock += f".{self.microsecond:06d}"
        zone = _offset_text(self.tzinfo.utcoffset(self)) if self.tzinfo is not None else ""
        return f"{date.isoformat(self)}{sep}{clock}{zone}"

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute]
        if self.second or self.microsecond:
            parts.append(self.second)
        if self.microsecond:
            parts.append(self.microsecond)
        zone = f", tzinfo={self.tzinfo!r}" if self.tzinfo is not None else ""
        return "datetime.datetime(" + ", ".join(map(str, parts)) + zone + ")"


date.min, date.max = date(1, 1, 1), date(9999, 12, 31)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
