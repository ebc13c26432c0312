"""Finding entries again by words, in any script (SPEC §8, §14)."""

from __future__ import annotations

from deep_world import World, page
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.deep.recall import Probe, Shelf, words


def test_words_of_any_script() -> None:
    """Lost if wrong: Japanese, Korean and Chinese entries are never found, and nobody notices."""
    assert words("Kafka_topic: meters.raw") == ["kafka", "topic", "meters", "raw"]
    assert words("地図タイル") == ["地図", "図タ", "タイ", "イル"]
    assert words("API鍵x") == ["api", "鍵", "x"]
    assert words("배포 동결") == ["배포", "동결"]
    assert words("CAFÉ") == words("cafe\u0301") == ["café"]


def test_the_entry_that_says_it_comes_first(world: World) -> None:
    """Lost if wrong: recall is measured against noise."""
    world.write("tiles.md", page("tiles", "地図タイルのキャッシュ", "project", "最大 180 MB、21 日まで。\n"))
    with Shelf(world.store().entries) as shelf:
        assert shelf.top("the relay polls order_outbox")[0].id in ("outbox", "outbox-events")
        assert [entry.id for entry in shelf.top("タイルのキャッシュ", 1)] == ["tiles"]
        assert shelf.top("xyzzy") == () and shelf.top("", 5) == () and shelf.top("relay", 0) == ()
        assert shelf.passes(Probe("タイル", all_of=("180 mb",)))
        assert not shelf.passes(Probe("タイル", none_of=("180 MB",)))


@given(st.text(max_size=60))
def test_any_question_can_be_asked(query: str) -> None:
    """Lost if wrong: a quote in a description is SQL, or an error."""
    with Shelf(()) as shelf:
        assert shelf.top(query) == ()
