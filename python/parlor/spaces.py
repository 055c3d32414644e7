"""Spaces with the attributes of gymnasium's. Where gymnasium is installed, these are its own."""
import operator

import numpy

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
except ImportError:
    class _Space:
        shape = ()
        dtype = None

        def __init__(self, seed=None):
            self._random = numpy.random.default_rng(seed)

        def seed(self, seed=None):
            self._random = numpy.random.default_rng(seed)
            return [seed]

        @property
        def np_random(self):
            return self._random

        def __contains__(self, value):
            return self.contains(value)

    class Discrete(_Space):
        """The numbers start … start + n - 1."""

        def __init__(self, n, seed=None, start=0):
            super().__init__(seed)
            self.n, self.start = operator.index(n), operator.index(start)
            if self.n < 1:
                raise ValueError(f"n is at least 1, not {n}")
            self.dtype = numpy.dtype(numpy.int64)

        def sample(self, mask=None):
            if mask is None:
                return self.start + int(self._random.integers(self.n))
            if numpy.shape(mask) != (self.n,):
                raise ValueError(f"the mask has the shape ({self.n},), not {numpy.shape(mask)}")
            allowed = numpy.flatnonzero(mask)
            return self.start + int(self._random.choice(allowed)) if len(allowed) else self.start

        def contains(self, value):
            try:
                return self.start <= operator.index(value) < self.start + self.n
            except TypeError:
                return False

        def __eq__(self, other):
            return isinstance(other, Discrete) and (self.n, self.start) == (other.n, other.start)

        def __repr__(self):
            return f"Discrete({self.n})"

    class Box(_Space):
        """Arrays of this shape with numbers between low and high."""

        def __init__(self, low, high, shape=None, dtype=numpy.float32, seed=None):
            super().__init__(seed)
            self.dtype = numpy.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else numpy.shape(low)
            self.low = numpy.broadcast_to(numpy.asarray(low, self.dtype), self.shape)
            self.high = numpy.broadcast_to(numpy.asarray(high, self.dtype), self.shape)

        def sample(self, mask=None):
            return self._random.uniform(self.low, self.high, self.shape).astype(self.dtype)

        def contains(self, value):
            value = numpy.asarray(value)
            return (value.shape == self.shape and numpy.can_cast(value.dtype, self.dtype)
                    and bool(numpy.all(value >= self.low) and numpy.all(value <= self.high)))

        def __eq__(self, other):
            return (isinstance(other, Box) and self.shape == other.shape
                    and numpy.array_equal(self.low, other.low)
                    and numpy.array_equal(self.high, other.high))

        def __repr__(self):
            return f"Box({self.low.min() if self.low.size else 0}, " \
                   f"{self.high.max() if self.high.size else 0}, {self.shape}, {self.dtype})"

    class MultiBinary(_Space):
        """Arrays of n zeros and ones."""

        def __init__(self, n, seed=None):
            super().__init__(seed)
            self.n = n
            self.shape = (n,) if isinstance(n, int) else tuple(n)
            self.dtype = numpy.dtype(numpy.int8)

        def sample(self, mask=None):
            return self._random.integers(0, 2, self.shape).astype(self.dtype)

        def contains(self, value):
            value = numpy.asarray(value)
            return value.shape == self.shape and bool(numpy.all((value == 0) | (value == 1)))

        def __eq__(self, other):
            return isinstance(other, MultiBinary) and self.shape == other.shape

        def __repr__(self):
            return f"MultiBinary({self.n})"

    class Dict(_Space):
        """A dict of spaces."""

        def __init__(self, spaces, seed=None):
            super().__init__(seed)
            self.spaces = dict(spaces)

        def seed(self, seed=None):
            """One seed for all of them, or one for each by its key."""
            each = seed if isinstance(seed, dict) else dict.fromkeys(self.spaces, seed)
            return {key: space.seed(each.get(key)) for key, space in self.spaces.items()}

        def __getitem__(self, key):
            return self.spaces[key]

        def __iter__(self):
            return iter(self.spaces)

        def keys(self):
            return self.spaces.keys()

        def items(self):
            return self.spaces.items()

        def sample(self, mask=None):
            return {key: space.sample(mask and mask.get(key)) for key, space in self.spaces.items()}

        def contains(self, value):
            return (isinstance(value, dict) and value.keys() == self.spaces.keys()
                    and all(space.contains(value[key]) for key, space in self.spaces.items()))

        def __eq__(self, other):
            return isinstance(other, Dict) and self.spaces == other.spaces

        def __repr__(self):
            return f"Dict({self.spaces})"


def observation_space(game):
    """The numbers of one observation of a game."""
    parts = game.tensor_parts
    low = numpy.concatenate([numpy.full(int(numpy.prod(p["shape"])), p["low"], numpy.float32)
                             for p in parts]) if parts else numpy.zeros(0, numpy.float32)
    high = numpy.concatenate([numpy.full(int(numpy.prod(p["shape"])), p["high"], numpy.float32)
                              for p in parts]) if parts else numpy.zeros(0, numpy.float32)
    shape = game.observation_tensor_shape()
    return Box(low.reshape(shape), high.reshape(shape), shape=shape, dtype=numpy.float32)


def action_space(game):
    return Discrete(game.num_distinct_actions())
