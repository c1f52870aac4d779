"""collections: containers."""
from _collections import deque


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **keywords):
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        rest = dict(self) if not last else None
        if rest is None:
            self[key] = value
        else:
            self.clear()
            self[key] = value
            self.update(rest)


class Counter(dict):
    def __init__(self, items=(), **counts):
        super().__init__()
        self.update(items, **counts)

    def __missing__(self, key):
        return 0

    def update(self, items=(), **counts):
        pairs = items.items() if isinstance(items, dict) else ((item, 1) for item in items)
        for item, count in [*pairs, *counts.items()]:
            self[item] = self[item] + count

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[:n]

    def elements(self):
        return (item for item, count in self.items() for _ in range(count))

    def total(self):
        return sum(self.values())

    def __add__(self, other):
        return Counter({key: self[key] + other[key] for key in {**self, **other} if self[key] + other[key] > 0})

    def __repr__(self):
        return "Counter({" + ", ".join(f"{item!r}: {count!r}" for item, count in self.most_common()) + "})"


class ChainMap(dict):
    def __init__(self, *maps):
        super().__init__()
        self.maps = list(maps) or [{}]
        for each in reversed(self.maps):
            self.update(each)


def namedtuple(typename, field_names, *, defaults=(), **_):
    names = field_names.replace(",", " ").split() if isinstance(field_names, str) else list(field_names)
    defaults = dict(zip(names[len(names) - len(defaults):], defaults))

    def __new__(cls, *args, **keywords):
        given = dict(zip(names, args))
        given.update(keywords)
        try:
            return tuple.__new__(cls, [given[name] if name in given else defaults[name] for name in names])
        except KeyError as absent:
            raise TypeError(f"{typename}.__new__() missing required argument: {absent}")

    def __repr__(self):
        return typename + "(" + ", ".join(f"{name}={value!r}" for name, value in zip(names, self)) + ")"

    members = {name: property(lambda self, at=at: tuple.__getitem__(self, at)) for at, name in enumerate(names)}
    members.update(
        __new__=__new__, __repr__=__repr__, _fields=tuple(names), __slots__=(),
        _asdict=lambda self: dict(zip(names, self)),
        _replace=lambda self, **new: type(self)(**{**dict(zip(names, self)), **new}))
    return type(typename, (tuple,), members)
