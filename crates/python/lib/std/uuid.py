"""uuid: names that nobody else has; the same ones in every run here."""
import random as _random


class UUID:
    def __init__(self, hex=None, int=None):
        self.int = int if int is not None else _whole(hex.replace("-", ""), 16)

    @property
    def hex(self):
        return f"{self.int:032x}"

    def __str__(self):
        text = self.hex
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def __repr__(self):
        return f"UUID('{self}')"

    def __eq__(self, other):
        return isinstance(other, UUID) and self.int == other.int

    def __hash__(self):
        return hash(self.int)


_whole = int
_source = _random.Random(4)


def _start_again():
    _source.seed(4)


def uuid4():
    bits = _source.getrandbits(128)
    return UUID(int=bits & ~(0xF << 76) & ~(0xC << 60) | 4 << 76 | 8 << 60)
