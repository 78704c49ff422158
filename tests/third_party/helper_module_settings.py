"""Names of the settings, and how they are read: imported by its neighbour."""

PENALTY_ARG = "run_penalty"
TOKEN_ARG = "run_token_id"


def settings_of(params):
    extra = params.extra_args or {}
    token = extra.get(TOKEN_ARG)
    if token is None:
        return None
    if token < 0:
        raise ValueError(f"{TOKEN_ARG} must not be negative")
    return token, _number(extra, PENALTY_ARG, 1.5)


def _number(extra, key, default):
    value = extra.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{key} must be a number")
    return value
