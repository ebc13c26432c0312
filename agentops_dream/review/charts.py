"""Figures over time as drawings, without a library: inline SVG, sized by the page (SPEC §13)."""

from __future__ import annotations

from collections.abc import Sequence

from agentops_dream.review.markup import Html, h, join

WIDTH, HEIGHT = 420, 140
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 6, 10, 22
MOST = 60
"""Points that can still be told apart; of more, the newest are drawn."""

Point = tuple[str, float]
"""A label (a day) and a value."""


def bars(title: str, points: Sequence[Point], unit: str = "") -> Html:
    """Return a bar per point."""
    points = points[-MOST:]
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points), 1)
    scale = _scale(points)
    marks = [
        h(
            "rect",
            {
                "class": "bar-mark",
                "x": f"{_LEFT + number * step + step * 0.1:.1f}",
                "y": f"{_y(value, scale):.1f}",
                "width": f"{min(step * 0.8, 48):.1f}",
                "height": f"{max(HEIGHT - _BOTTOM - _y(value, scale), 0):.1f}",
            },
            h("title", None, f"{label}: {_amount(value)}{unit}"),
        )
        for number, (label, value) in enumerate(points)
    ]
    return _chart(title, points, scale, unit, marks)


def line(title: str, points: Sequence[Point], unit: str = "") -> Html:
    """Return a line through the points."""
    points = points[-MOST:]
    scale = _scale(points)
    step = (WIDTH - _LEFT - _RIGHT - 8) / max(len(points) - 1, 1)
    places = [(_LEFT + 4 + number * step, _y(value, scale)) for number, (_, value) in enumerate(points)]
    marks = [
        h(
            "polyline", {"class": "line-mark", "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in places)}
        ),
        *(
            h(
                "circle",
                {"class": "dot-mark", "cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3"},
                h("title", None, f"{label}: {_amount(value)}{unit}"),
            )
            for (x, y), (label, value) in zip(places, points, strict=True)
        ),
    ]
    return _chart(title, points, scale, unit, marks)


def share(value: int, most: int) -> Html:
    """Return a number and a bar as long as ``value`` is of ``most``."""
    mark = h("rect", {"class": "bar-mark", "x": "0", "y": "0", "width": f"{160 * value / most:.1f}", "height": "10"})
    drawing = h("svg", {"viewBox": "0 0 160 10", "width": "160", "height": "10", "aria-hidden": "true"}, mark)
    return join(str(value), " ", drawing)


def _chart(title: str, points: Sequence[Point], scale: float, unit: str, marks: list[Html]) -> Html:
    if not points:
        return h("section", {"class": "chart"}, h("h2", None, title), h("p", None, "Nothing yet."))
    bottom = HEIGHT - _BOTTOM
    (first, start), (last, end) = points[0], points[-1]
    said = f"{title}: {first} to {last}, from {_amount(start)} to {_amount(end)}{unit}"
    drawing = h(
        "svg",
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria-label": said},
        [
            h("path", {"class": "axis", "d": f"M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"})
            for y in (_TOP, (bottom + _TOP) / 2, bottom)
        ],
        _label(_LEFT - 6, _TOP + 4, f"{_amount(scale)}{unit}", "end"),
        _label(_LEFT - 6, bottom, "0", "end"),
        _label(_LEFT, HEIGHT - 6, points[0][0], "start"),
        _label(WIDTH - _RIGHT, HEIGHT - 6, points[-1][0], "end") if len(points) > 1 else None,
        marks,
    )
    return h("section", {"class": "chart"}, h("h2", None, title), drawing)


def _label(x: float, y: float, words: str, anchor: str) -> Html:
    return h("text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}, words)


def _scale(points: Sequence[Point]) -> float:
    """Return the value at the top: a round one, not under the largest."""
    largest = max((value for _, value in points), default=0.0)
    if largest <= 0:
        return 1.0
    size = 1.0
    while size > largest:
        size /= 10
    while size * 10 <= largest:
        size *= 10
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= largest)


def _y(value: float, scale: float) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * value / scale


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4f}".rstrip("0")
