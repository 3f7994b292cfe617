"""What can go wrong, as classes. Every message is a sentence that says what to do."""

__all__ = ["LurdError", "LevelError", "ConfigError", "MoveError", "ProblemError", "LimitError"]


class LurdError(Exception):
    """The parent of all errors of lurd."""


class LevelError(LurdError, ValueError):
    """A text or file that is no level, or a level that cannot be played."""


class ConfigError(LurdError, ValueError):
    """Choices that do not exist or do not go together."""


class MoveError(LurdError, ValueError):
    """Moves that break the rules or do not solve the level."""


class ProblemError(LurdError, TypeError):
    """A problem, heuristic or rule of your own that breaks its contract."""


class LimitError(LurdError, RuntimeError):
    """A limit that ended the work before there was anything to return."""
