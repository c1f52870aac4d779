"""random: CPython's generator, so that a seed gives the numbers it gives there."""
_N, _M = 624, 397


class Random:
    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        if a is None:
            a = 20240229
        if isinstance(a, float):
            a = hash(a)
        if isinstance(a, str):
            a = int.from_bytes(a.encode(), "big")
        a = abs(int(a))
        key = []
        while a:
            key.append(a & 0xFFFFFFFF)
            a >>= 32
        self._start(key or [0])
        self._spare = None

    def _plain(self, seed):
        state = [seed & 0xFFFFFFFF]
        for at in range(1, _N):
            state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + at) & 0xFFFFFFFF)
        self._state, self._at = state, _N

    def _start(self, key):
        self._plain(19650218)
        state, i, j = self._state, 1, 0
        for _ in range(max(_N, len(key))):
            state[i] = ((state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xFFFFFFFF
            i, j = i + 1, j + 1
            if i >= _N:
                state[0], i = state[_N - 1], 1
            if j >= len(key):
                j = 0
        for _ in range(_N - 1):
            state[i] = ((state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1566083941)) - i) & 0xFFFFFFFF
            i += 1
            if i >= _N:
                state[0], i = state[_N - 1], 1
        state[0] = 0x80000000

    def _next(self):
        if self._at >= _N:
            state = self._state
            for k in range(_N):
                y = (state[k] & 0x80000000) | (state[(k + 1) % _N] & 0x7FFFFFFF)
                state[k] = state[(k + _M) % _N] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
            self._at = 0
        y = self._state[self._at]
        self._at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def random(self):
        return ((self._next() >> 5) * 67108864.0 + (self._next() >> 6)) / 9007199254740992.0

    def getrandbits(self, k):
        value, shift = 0, 0
        while k > 0:
            word = self._next()
            if k < 32:
                word >>= 32 - k
            value |= word << shift
            shift, k = shift + 32, k - 32
        return value

    def _below(self, n):
        k = n.bit_length()
        value = self.getrandbits(k)
        while value >= n:
            value = self.getrandbits(k)
        return value

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        width = (stop - start + step - (1 if step > 0 else -1)) // step
        if width <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._below(width)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if weights is None and cum_weights is None:
            return [population[int(self.random() * n)] for _ in range(k)]
        if cum_weights is None:
            cum_weights, total = [], 0
            for weight in weights:
                total += weight
                cum_weights.append(total)
        chosen = []
        for _ in range(k):
            at = self.random() * cum_weights[-1]
            chosen.append(next(item for item, limit in zip(population, cum_weights) if at < limit))
        return chosen

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k):
        pool, n = list(population), len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        chosen, setsize = [], 21
        if k > 5:
            power = 4
            while power < k * 3:
                power *= 4
            setsize += power
        if n <= setsize:
            for i in range(k):
                j = self._below(n - i)
                chosen.append(pool[j])
                pool[j] = pool[n - i - 1]
        else:
            seen = set()
            for _ in range(k):
                j = self._below(n)
                while j in seen:
                    j = self._below(n)
                seen.add(j)
                chosen.append(pool[j])
        return chosen

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def gauss(self, mu=0.0, sigma=1.0):
        z, self._spare = self._spare, None
        if z is None:
            angle = self.random() * 6.283185307179586
            radius = (-2.0 * _native("ln", [1.0 - self.random()])) ** 0.5
            z = _native("cos", [angle]) * radius
            self._spare = _native("sin", [angle]) * radius
        return mu + z * sigma

    normalvariate = gauss


_shared = Random()


def _start_again():
    _shared.seed()


for _name in ("seed random getrandbits randrange randint choice choices shuffle sample uniform gauss normalvariate").split():
    globals()[_name] = getattr(_shared, _name)
