"""A verdict names what was lost; a password must not be among it, not even in pieces."""

from __future__ import annotations

from deep_world import World, op, page

SECRET = "hunter2" + "-Kx9" + "!vQ"


def test_a_lost_password_is_not_quoted_in_pieces(world: World) -> None:
    """Lost if wrong: receipts, pages and logs show the password that the gate saved."""
    body = f"Admin login password: {SECRET}\nThe panel listens on port 8443.\n"
    world.write("admin.md", page("admin", "Admin panel", "reference", body))
    verdict = world.one(op("update", "admin", new_body="The admin panel listens on port 8443, with a login of its own.\n"))
    assert verdict.status != "applied"
    told = verdict.reason + " ".join(text for fault in verdict.faults for text in fault.literals)
    assert not any(piece in told for piece in ("hunter2", "Kx9", "vQ"))
