"""operator: operators as functions."""
from _operator import *


def itemgetter(*items):
    if len(items) == 1:
        return lambda value: value[items[0]]
    return lambda value: tuple(value[item] for item in items)


def attrgetter(*names):
    def get(value, name):
        for part in name.split("."):
            value = getattr(value, part)
        return value

    if len(names) == 1:
        return lambda value: get(value, names[0])
    return lambda value: tuple(get(value, name) for name in names)


def methodcaller(name, *args, **keywords):
    return lambda value: getattr(value, name)(*args, **keywords)
