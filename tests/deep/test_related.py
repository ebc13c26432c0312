"""Where an added link is put (SPEC §7 relink)."""

from __future__ import annotations

import pytest

from agentops_dream.deep.related import with_links


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Text.\n", "Text.\n\nRelated: [[x]], [[y]]\n"),
        ("Text.", "Text.\n\nRelated: [[x]], [[y]]"),
        ("Text.\n\nRelated: [[a]]\n", "Text.\n\nRelated: [[a]], [[x]], [[y]]\n"),
        ("Text.\n\nRelated: [[a]] · [[b]]\n", "Text.\n\nRelated: [[a]] · [[b]] · [[x]] · [[y]]\n"),
        ("Text.\n\n**See also:** [[a]].\n", "Text.\n\n**See also:** [[a]], [[x]], [[y]].\n"),
        ("see [[a]]\n", "see [[a]], [[x]], [[y]]\n"),
        ("本文です。\n\n関連: [[a]]\n", "本文です。\n\n関連: [[a]], [[x]], [[y]]\n"),
        ("本文です。\n", "本文です。\n\n関連: [[x]], [[y]]\n"),
        ("端口是 8443。\n", "端口是 8443。\n\n相关: [[x]], [[y]]\n"),
        ("포트는 8443.\n", "포트는 8443.\n\n관련: [[x]], [[y]]\n"),
        ("What comes after is in [[a]].\n", "What comes after is in [[a]].\n\nRelated: [[x]], [[y]]\n"),
        ("Related: [[a]] is older.\n", "Related: [[a]] is older.\n\nRelated: [[x]], [[y]]\n"),
        ("", "Related: [[x]], [[y]]\n"),
    ],
)
def test_links_go_where_the_file_keeps_them(body: str, expected: str) -> None:
    """Lost if wrong: every dream adds another line of links, or writes into a sentence."""
    assert with_links(body, ["x", "y"]) == expected
    assert with_links(body, []) == body
