"""Secrets in entries: find them, keep them from the model, take them out of logs (SPEC §7, §8, §11, §13).

Detection goes by the shape of the value (``shapes``) or by a word in front of a value that looks
like one (``words``), never by a word alone: commit ids, UUIDs, hashes, variable names and documented
example keys are not secrets. Nothing here reads a file, the environment or the network.

Why not a library: the one for Python (``detect-secrets``) brings an HTTP client, reports lines and not
spans, knows no Google, Anthropic, Hugging Face or fine-grained GitHub tokens, no password words in CJK
languages, and takes any long word for a secret once its entropy check is on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from agentops_dream.secrets import shapes as token_shapes
from agentops_dream.secrets import tables, words


@dataclass(frozen=True)
class Secret:
    """Where a secret stands in a text: ``text[start:end]``."""

    start: int
    end: int
    kind: str
    """What it is, for people and receipts: ``github-token``, ``private-key``, ``password`` …"""


_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")

_SHORT = 500
"""Characters up to which a text is looked through once: the same paths, names and fields come again and again."""


def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets in ``text`` in order, none overlapping another. Never raises.

    Characters that nobody sees, such as a zero-width space, do not hide a secret that they stand in.
    """
    return _remembered(text) if len(text) <= _SHORT else _sought(text)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> tuple[Secret, ...]:
    return _sought(text)


def _sought(text: str) -> tuple[Secret, ...]:
    found = _find(text)
    if not text.isascii() and _INVISIBLE.search(text):
        seen = [at for at, char in enumerate(text) if not _INVISIBLE.match(char)]
        plain = _find("".join([text[at] for at in seen]))
        found += [Secret(seen[one.start], seen[one.end - 1] + 1, one.kind) for one in plain]
    return _with_repeats(text, _apart(found), {})


def visible(text: str) -> str:
    """Return ``text`` without characters that nobody sees: what secrets are compared by."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def values(text: str) -> tuple[str, ...]:
    """Return the secrets in ``text`` as they stand there."""
    return tuple(text[secret.start : secret.end] for secret in find(text))


def _find(text: str) -> list[Secret]:
    lowered = _lowered(text)
    runs = token_shapes.long_runs(text)
    shapes = [shape for shape in token_shapes.TOKENS if _any(shape.hints, runs)] if runs else []
    shapes += [shape for shape in token_shapes.TEXTS if _any(shape.hints, lowered)]
    found = []
    for shape in shapes:
        for match in shape.pattern.finditer(text):
            group = "v" if match.groupdict().get("v") is not None else 0
            value = match[group]
            if shape.holds is not None and not shape.holds(value):
                continue
            start, end = match.span(group)
            if shape.kind == "credentials" and "@" in value:
                end = start + value.rindex("@")  # the host was only looked at
            found.append(Secret(start, end, shape.kind))
    found += [Secret(*span) for span in words.find(text, lowered)]
    found += [Secret(*span) for span in tables.find(text, lowered)]
    return found


_ROUNDS = 4
"""How often a text is gone through: what stood right beside a secret may be known for one once that is gone."""


class Redactor:
    """Takes secrets out of texts for logs, receipts and screens.

    ``known``: value -> kind of secrets that other texts gave away. A password that only the word before it
    shows for one is taken out where it stands bare, too, unless it is a plain word: to take every ``applied``
    out of every text would leave none that can be read. Calling it twice changes nothing.
    """

    def __init__(self, known: Mapping[str, str] = MappingProxyType({})) -> None:
        # What stands in our own marks would be found again in them.
        marks = {f"[redacted-{kind}]" for kind in (*known.values(), "password", "known")}
        self._known = {
            bare: kind
            for value, kind in known.items()
            if (bare := visible(value).strip()) and not is_word(bare) and not any(bare in mark for mark in marks)
        }

    def __call__(self, text: str) -> str:
        """Return ``text`` with every secret replaced by ``[redacted-<kind>]``."""
        for _ in range(_ROUNDS):
            told = _replace(text, self.find(text), lambda secret: f"[redacted-{secret.kind}]")
            if told == text:  # a mark may be taken for what it stands for, as after ``-p``, and stays the same
                break
            text = told
        return text

    def find(self, text: str) -> tuple[Secret, ...]:
        """Return the secrets in ``text`` in order, none overlapping another."""
        known = _everywhere(text, self._known)
        return _apart([*find(text), *known]) if known else find(text)

    def values(self, text: str) -> tuple[str, ...]:
        """Return the secrets in ``text`` as they stand there."""
        return tuple(text[secret.start : secret.end] for secret in self.find(text))


def is_word(value: str) -> bool:
    """Return whether a secret is a plain word, which stands in many texts that know nothing of it."""
    return value.isalpha() and (value.islower() or value.istitle() or value.isupper())


redact = Redactor()
"""Redacts by what a text itself gives away: for texts that come from no store."""


class Vault:
    """Keeps secrets from the model: numbered placeholders on the way out, the secrets on the way back.

    One vault serves one call: the same secret has the same number in all its texts. ``nonce`` (letters
    and digits, from the caller's source of randomness) is part of every placeholder, so that no entry can
    hold one by luck or guess one by design and be handed another entry's secret.

    ``vault.unmask(vault.mask(text)) == text`` for every text.
    """

    def __init__(self, nonce: str) -> None:
        if not re.fullmatch(r"[A-Za-z0-9]+", nonce):
            raise ValueError("a vault's nonce is made of ASCII letters and digits")
        # Looks like a constant, because that is what models copy letter by letter; the brackets end it.
        self._stem = f"SECRET_{nonce}_"
        self._exact = re.compile(rf"⟦{self._stem}([0-9]+)⟧")
        # A model may drop or swap the brackets. Such a remnant must be seen, and is never filled in.
        self._any = re.compile(rf"⟦?{self._stem}[0-9]*⟧?", re.IGNORECASE)
        self._numbers: dict[str, int] = {}
        self._secrets: list[str] = []

    def __len__(self) -> int:
        """How many different secrets are kept."""
        return len(self._secrets)

    @property
    def kept(self) -> Mapping[str, str]:
        """The secrets that are kept, each with its kind."""
        return dict.fromkeys(self._secrets, "password")

    def keep(self, secrets: Iterable[str]) -> None:
        """Keep ``secrets``: ``mask`` then hides them in every text, whatever stands before them.

        To be told those of every file: a value that only the word before it gives away (``db_password: …``)
        is no secret to be seen where it stands without it.
        """
        for value in secrets:
            self._token(value)

    def mask(self, text: str) -> str:
        """Return ``text`` with a placeholder for every secret in it and every secret seen before."""
        spans = [Secret(*match.span(), "placeholder") for match in self._any.finditer(text)]
        spans += (*find(text), *_everywhere(text, dict.fromkeys(map(visible, self._secrets), "known")))
        return _replace(text, _apart(spans), lambda s: self._token(text[s.start : s.end]))

    def unmask(self, text: str) -> str:
        """Return ``text`` with the secrets back. Placeholders that were never given out stay as they are."""

        def secret(match: re.Match[str]) -> str:
            number = int(match[1]) if len(match[1]) < 10 else 0
            return self._secrets[number - 1] if 1 <= number <= len(self._secrets) else match[0]

        return self._exact.sub(secret, text)

    def placeholders_in(self, text: str) -> tuple[str, ...]:
        """Return the placeholders in ``text`` in order, maimed ones included.

        After ``unmask`` there are none, or the model has maimed or invented one.
        """
        return tuple(match[0] for match in self._any.finditer(text))

    def _token(self, secret: str) -> str:
        if secret not in self._numbers:
            self._secrets.append(secret)
            self._numbers[secret] = len(self._secrets)
        return f"⟦{self._stem}{self._numbers[secret]}⟧"


def _any(hints: tuple[str, ...], text: str) -> bool:
    # A loop, because a generator costs more than most of the searches.
    for hint in hints:  # noqa: SIM110
        if hint in text:
            return True
    return False


def _lowered(text: str) -> str:
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two characters, and positions must agree
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """Unite what overlaps; the kind of the longest is kept."""
    united: list[Secret] = []
    for secret in sorted(found, key=lambda s: (s.start, -s.end)):
        if united and secret.start < united[-1].end:
            last = united.pop()
            longer = last if last.end - last.start >= secret.end - secret.start else secret
            secret = Secret(last.start, max(last.end, secret.end), longer.kind)
        united.append(secret)
    return tuple(united)


def _with_repeats(text: str, found: tuple[Secret, ...], known: Mapping[str, str]) -> tuple[Secret, ...]:
    """Add the other places where a secret stands: "the password is …; log in with …"."""
    kinds = dict(known)
    kinds.update((text[secret.start : secret.end], secret.kind) for secret in found)
    repeats = [
        Secret(match.start(), match.end(), kind)
        for value, kind in kinds.items()
        if len(value) >= 8 and not value.isdigit() and text.count(value) > 0
        for match in re.finditer(re.escape(value), text)
    ]
    return _apart([*found, *repeats])


def _everywhere(text: str, known: Mapping[str, str]) -> list[Secret]:
    """Return where ``known`` secrets (value as one sees it -> kind) stand, what nobody sees within them included."""
    seen = visible(text)
    if not any(value in seen for value in known):
        return []
    found = [*_with_repeats(seen, (), known), *_short_repeats(seen, known)]
    if len(seen) == len(text):
        return found
    at = [number for number, char in enumerate(text) if not _INVISIBLE.match(char)]
    return [Secret(at[one.start], at[one.end - 1] + 1, one.kind) for one in found]


def _short_repeats(text: str, known: Mapping[str, str]) -> list[Secret]:
    """Return where known secrets stand that are too short, or too plain, to be sought within words.

    A few digits are a port or a year elsewhere: those are hidden only where they are all there is.
    """
    found = []
    for value, kind in known.items():
        if len(value) >= 8 and not value.isdigit():
            continue
        if text.strip() == value:
            at = text.index(value)
            found.append(Secret(at, at + len(value), kind))
        elif value in text and (len(value) >= 6 or not value.isdigit()):
            whole = re.compile(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])")
            found += [Secret(*match.span(), kind) for match in whole.finditer(text)]
    return found


def _replace(text: str, spans: tuple[Secret, ...], by: Callable[[Secret], str]) -> str:
    parts, at = [], 0
    for secret in spans:
        parts += [text[at : secret.start], by(secret)]
        at = secret.end
    return "".join([*parts, text[at:]])
