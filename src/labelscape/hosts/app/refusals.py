"""What the app refuses, by kind; the message is a sentence for the user."""


class UnknownError(LookupError):
    """Something was asked for that is not there."""


class RefusedError(ValueError):
    """Something was asked for that makes no sense."""


class BusyError(RefusedError):
    """Something was asked for that is not possible now."""
