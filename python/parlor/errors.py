"""What can go wrong, as one tree of exceptions."""


class Error(Exception):
    """Everything that parlor raises itself, except IndexError and ValueError for wrong arguments."""


class GameError(Error):
    """A game's text or the way it was opened is wrong. `diagnostics` is a list of dicts with code,
    severity, message, path, file, line, column and suggestion."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class Rejected(Error):
    """A request that the rules refuse; nothing has changed."""

    def __init__(self, code, message, details=None):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details if details is not None else {}


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a long call. `partial` is the result of what was done until then."""

    def __init__(self, partial):
        super().__init__("interrupted")
        self.partial = partial
