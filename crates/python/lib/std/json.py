"""json: values as text and back."""


class JSONDecodeError(ValueError):
    pass


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _quoted(text, ascii):
    out = []
    for letter in text:
        if letter in _ESCAPES:
            out.append(_ESCAPES[letter])
        elif letter < " " or ascii and ord(letter) > 126:
            code = ord(letter)
            if code > 0xFFFF:
                code -= 0x10000
                out.append(f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}")
            else:
                out.append(f"\\u{code:04x}")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'


def dumps(obj, *, skipkeys=False, ensure_ascii=True, indent=None, separators=None, default=None, sort_keys=False, cls=None):
    item_gap, key_gap = separators or ((", ", ": ") if indent is None else (",", ": "))
    step = " " * indent if isinstance(indent, int) else indent

    def text(value, depth):
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return _quoted(value, ensure_ascii)
        if isinstance(value, int):
            return int.__repr__(value)
        if isinstance(value, float):
            return "NaN" if value != value else repr(value).replace("inf", "Infinity")
        if isinstance(value, dict):
            pairs = sorted(value.items()) if sort_keys else value.items()
            parts = [_quoted(key if isinstance(key, str) else text(key, depth), ensure_ascii) + key_gap + text(item, depth + 1)
                     for key, item in pairs]
            return around("{", parts, "}", depth)
        if isinstance(value, (list, tuple)):
            return around("[", [text(item, depth + 1) for item in value], "]", depth)
        if default is not None:
            return text(default(value), depth)
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def around(start, parts, end, depth):
        if not parts:
            return start + end
        if step is None:
            return start + item_gap.join(parts) + end
        inner, outer = "\n" + step * (depth + 1), "\n" + step * depth
        return start + inner + (item_gap.rstrip(" ") + inner).join(parts) + outer + end

    return text(obj, 0)


def loads(s, **_):
    if isinstance(s, (bytes, bytearray)):
        s = s.decode()
    at = 0

    def fail(what):
        raise JSONDecodeError(f"{what}: line {s.count(chr(10), 0, at) + 1} column {at - s.rfind(chr(10), 0, at)} (char {at})")

    def space():
        nonlocal at
        while at < len(s) and s[at] in " \t\n\r":
            at += 1

    def value():
        nonlocal at
        space()
        if at >= len(s):
            fail("Expecting value")
        letter = s[at]
        if letter == "{":
            return members()
        if letter == "[":
            return items()
        if letter == '"':
            return string()
        for word, meaning in (("null", None), ("true", True), ("false", False)):
            if s.startswith(word, at):
                at += len(word)
                return meaning
        start = at
        while at < len(s) and s[at] in "+-0123456789.eE":
            at += 1
        number = s[start:at]
        if not number:
            fail("Expecting value")
        return float(number) if any(mark in number for mark in ".eE") else int(number)

    def members():
        nonlocal at
        found = {}
        at += 1
        space()
        if s[at:at + 1] == "}":
            at += 1
            return found
        while True:
            space()
            if s[at:at + 1] != '"':
                fail("Expecting property name enclosed in double quotes")
            key = string()
            space()
            if s[at:at + 1] != ":":
                fail("Expecting ':' delimiter")
            at += 1
            found[key] = value()
            space()
            at += 1
            if s[at - 1:at] == "}":
                return found
            if s[at - 1:at] != ",":
                at -= 1
                fail("Expecting ',' delimiter")

    def items():
        nonlocal at
        found = []
        at += 1
        space()
        if s[at:at + 1] == "]":
            at += 1
            return found
        while True:
            found.append(value())
            space()
            at += 1
            if s[at - 1:at] == "]":
                return found
            if s[at - 1:at] != ",":
                at -= 1
                fail("Expecting ',' delimiter")

    def string():
        nonlocal at
        out = []
        at += 1
        while True:
            if at >= len(s):
                fail("Unterminated string starting at")
            letter = s[at]
            at += 1
            if letter == '"':
                return "".join(out)
            if letter == "\\":
                escape = s[at]
                at += 1
                if escape == "u":
                    code = int(s[at:at + 4], 16)
                    at += 4
                    if 0xD800 <= code < 0xDC00 and s[at:at + 2] == "\\u":
                        code = 0x10000 + ((code - 0xD800) << 10) + int(s[at + 2:at + 6], 16) - 0xDC00
                        at += 6
                    out.append(chr(code))
                else:
                    out.append({"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(escape, escape))
            else:
                out.append(letter)

    result = value()
    space()
    if at < len(s):
        fail("Extra data")
    return result
