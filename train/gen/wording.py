"""Small changes to words: a capital at the head, a full stop at the end."""


def upper_first(s):
    return s[:1].upper() + s[1:]


def low(s):
    return s[:1].lower() + s[1:]


def stop(s):
    """A sentence with its full stop."""
    return s if s[-1:] in ".!?" else s + "."
