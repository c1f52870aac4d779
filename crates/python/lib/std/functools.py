"""functools: what works on functions."""
_NOT_GIVEN = object()


def reduce(function, sequence, initial=_NOT_GIVEN):
    items = iter(sequence)
    if initial is _NOT_GIVEN:
        try:
            value = next(items)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value")
    else:
        value = initial
    for item in items:
        value = function(value, item)
    return value


class partial:
    def __init__(self, func, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__")


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=("__dict__",)):
    for name in assigned:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=("__dict__",)):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


def lru_cache(maxsize=128, typed=False):
    def decorated(function):
        known = {}

        def cached(*args, **keywords):
            key = (args, tuple(sorted(keywords.items())))
            if key not in known:
                known[key] = function(*args, **keywords)
            return known[key]

        cached.cache_clear = known.clear
        return update_wrapper(cached, function)

    if callable(maxsize):
        return decorated(maxsize)
    return decorated


def cache(function):
    return lru_cache(None)(function)


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0

        def __eq__(self, other):
            return compare(self.value, other.value) == 0

    return Key


def total_ordering(cls):
    if "__lt__" in cls.__dict__:
        cls.__gt__ = lambda self, other: not (self < other or self == other)
        cls.__le__ = lambda self, other: self < other or self == other
        cls.__ge__ = lambda self, other: not self < other
    return cls


class cached_property:
    def __init__(self, function):
        self.function, self.name = function, function.__name__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value
