"""Which sources another program may see."""

import pytest

from heedful.core.ids import SourceId
from heedful.core.settings import ClientSettings
from heedful.mcp_server.clients import Scope, client_name, scope_of
from heedful.memory.messages.source_outlines import SourceOutline

WORK = SourceOutline(SourceId("w"), "Work mail", "allowed")
CHAT = SourceOutline(SourceId("c"), "Chat", "allowed")
DIARY = SourceOutline(SourceId("d"), "Diary", "local-only")
ALL = (WORK, CHAT, DIARY)


def seen(client: str, **settings: ClientSettings) -> str:
    return "".join(sorted(scope_of(client, settings, ALL).sources))


def test_a_program_nobody_named_sees_all_that_may_leave_this_machine() -> None:
    assert seen("helper") == "cw"
    assert seen("helper", other=ClientSettings(("Chat",))) == "cw"


def test_a_program_that_is_named_sees_its_sources_by_id_or_name() -> None:
    assert seen("helper", helper=ClientSettings(("Work mail",))) == "w"
    assert seen("helper", helper=ClientSettings(("c", "Work mail"))) == "cw"
    assert seen("helper", helper=ClientSettings(())) == ""
    assert seen("helper", helper=ClientSettings(("Wrok mail",))) == ""


def test_a_source_that_must_stay_here_is_seen_only_by_a_program_that_passes_nothing_on() -> None:
    assert seen("helper", helper=ClientSettings(("Diary", "Chat"))) == "c"
    assert seen("helper", helper=ClientSettings(("Diary", "Chat"), stays_local=True)) == "cd"
    assert seen("helper", helper=ClientSettings(stays_local=True)) == "cdw"


def test_the_entry_for_anyone_holds_for_whoever_has_none() -> None:
    settings = {"*": ClientSettings(()), "Helper": ClientSettings(("Chat",))}
    assert scope_of("other", settings, ALL).sources == frozenset()
    assert scope_of("helper", settings, ALL).sources == {"c"}


def test_a_look_up_is_narrowed_unless_nothing_is_kept_from_the_program() -> None:
    assert scope_of("helper", {}, (WORK, CHAT)) == Scope(frozenset({WORK.id, CHAT.id}), is_everything=True)
    assert scope_of("helper", {}, (WORK, CHAT)).narrowing is None
    assert scope_of("helper", {}, ALL).narrowing == frozenset({WORK.id, CHAT.id})
    assert scope_of("helper", {"helper": ClientSettings(())}, ALL).narrowing == frozenset()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Claude Desktop", "claude-desktop"),
        ("claude-desktop", "claude-desktop"),
        ("claude_desktop", "claude-desktop"),
        ("  Weird//Name!  ", "weird-name"),
        ("*", "unnamed"),
        ("", "unnamed"),
        (None, "unnamed"),
        ("\u202eevil\n", "evil"),
        ("x" * 500, "x" * 60),
    ],
)
def test_a_programs_name_is_one_word_however_it_is_written(given: str | None, name: str) -> None:
    assert client_name(given) == name
