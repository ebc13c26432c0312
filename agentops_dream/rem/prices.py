"""What a model call costs, where the client does not say (SPEC §3 ``MAX_USD_PER_DAY``, §13).

Dollars per million tokens as the client of 2026-11 (2.1.332) reckons them; they are here to keep a
cap, not to write a bill. A model that is not listed counts as the dearest.
"""

from __future__ import annotations

from agentops_dream.models import Usage

_DEAREST = (15.0, 75.0)

# Beginning of the model name -> input, output. The longest beginning that fits counts.
PRICES: dict[str, tuple[float, float]] = {
    "claude-haiku-": (1.0, 5.0),
    "claude-3-5-haiku": (0.8, 4.0),
    "claude-sonnet-": (3.0, 15.0),
    "claude-sonnet-5": (2.0, 10.0),
    "claude-3-7-sonnet": (3.0, 15.0),
    "claude-3-5-sonnet": (3.0, 15.0),
    "claude-opus-4-5": (5.0, 25.0),
    "claude-opus-4-6": (5.0, 25.0),
    "claude-opus-4-7": (5.0, 25.0),
    "claude-opus-4-8": (5.0, 25.0),
    "claude-opus-5": (5.0, 25.0),
    "claude-fable-": (10.0, 50.0),
    "haiku": (1.0, 5.0),
    "sonnet": (3.0, 15.0),
    "opus": (5.0, 25.0),
    "fable": (10.0, 50.0),
}

CACHE_WRITE = 2.0
"""Times the input price, at most (an hour's cache)."""
CACHE_READ = 0.1


def per_token(model: str) -> tuple[float, float]:
    """Return dollars per input and per output token of ``model``."""
    name = model.lower().rpartition("/")[2]
    name = name[name.find("claude-") :] if "claude-" in name else name
    fitting = [beginning for beginning in PRICES if name.startswith(beginning)]
    price = PRICES[max(fitting, key=len)] if fitting else _DEAREST
    return price[0] / 1e6, price[1] / 1e6


def cost(model: str, *, read: int, wrote: int, cache_read: int = 0, cache_write: int = 0) -> float:
    """Return dollars for so many tokens."""
    per_input, per_output = per_token(model)
    return per_input * (read + CACHE_READ * cache_read + CACHE_WRITE * cache_write) + per_output * wrote


def tokens(text: str) -> int:
    """Return a count of tokens that the real one hardly exceeds, in any script."""
    # English has about four bytes a token, CJK about three (one character).
    return len(text.encode("utf-8", "replace")) // 3 + 1


def estimate(model: str, system: str, user: str, *, seconds: float) -> Usage:
    """Return what a call that was ended without figures may have cost.

    Tokens stay 0, since nobody counted them; only the money is estimated, for the daily cap: the
    prompt, and as much output as a fast model writes in that time.
    """
    read = tokens(system) + tokens(user)
    return Usage(usd=cost(model, read=read, wrote=int(seconds * 100)), calls=1, model=model, seconds=seconds)
