"""What to say of a name that a class does not have."""


def _distance(left, right):
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        corner, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (a != b))
    return row[-1]


def nearest(name, names):
    """The name most like `name`, if one is like it."""
    plain = name.lower().replace("_", "")
    ranked = sorted((_distance(plain, other.lower().replace("_", "")), other) for other in names)
    if ranked and ranked[0][0] <= max(1, len(name) // 3):
        return ranked[0][1]
    return None


def missing(kind, name, names, known_elsewhere):
    """The sentence for an attribute that is not there: PySpark's own, and what would help."""
    sentence = f"'{kind}' object has no attribute '{name}'"
    if name in known_elsewhere:
        instead = known_elsewhere[name]
        return f"{sentence}: PySpark has {kind}.{name}, MergeLab does not. {instead}".rstrip()
    close = nearest(name, [other for other in names if not other.startswith("_")])
    if close:
        return f"{sentence}. Did you mean: '{close}'?"
    return sentence
