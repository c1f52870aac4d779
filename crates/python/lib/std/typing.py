"""typing: names for annotations, which nobody checks here."""


class _Any:
    def __getitem__(self, _):
        return self

    def __or__(self, _):
        return self

    __ror__ = __or__

    def __call__(self, *_, **__):
        return self


Any = Union = Optional = List = Dict = Tuple = Set = FrozenSet = Callable = Iterable = Iterator = Sequence = Mapping = _Any()
Type = Generator = Literal = Final = ClassVar = NoReturn = Self = Annotated = Hashable = MutableMapping = Collection = _Any()
TYPE_CHECKING = False


class Generic:
    def __class_getitem__(cls, _):
        return cls


class Protocol(Generic):
    pass


def TypeVar(name, *_, **__):
    return _Any()


def cast(_, value):
    return value


def overload(function):
    return function


final = runtime_checkable = overload


def NamedTuple(name, fields):
    from collections import namedtuple

    return namedtuple(name, [field for field, _ in fields])
