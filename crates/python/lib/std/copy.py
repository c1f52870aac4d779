"""copy: copies of values."""


def copy(x):
    if isinstance(x, (list, dict, set)):
        return type(x)(x)
    return x


def deepcopy(x, memo=None):
    if isinstance(x, dict):
        return {deepcopy(key): deepcopy(value) for key, value in x.items()}
    if isinstance(x, (list, tuple, set)):
        return type(x)(deepcopy(item) for item in x)
    return x
