"""Settings → Care of the memory, without a window."""

from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, PassingError, UserCanFixError
from heedful.core.supervise import Supervisor
from heedful.presenters.care import CarePresenter, CareView, size_words
from heedful.presenters.toasts import Toasts
from tests.fakes import samples
from tests.fakes.care import FOLDER, NEWEST, FakeCare, FakeHouse, FakeOpener
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeDecisions, FakeLibrary

DAMAGED = DamageError("The store is damaged", "Nothing more is backed up.", "Put the newest back.")


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.service, self.opener, self.house, self.toasts = FakeCare(), FakeOpener(), FakeHouse(), Toasts()
        decisions = FakeDecisions(bus, clock)
        decisions.put(*samples.morning())
        self.care = CarePresenter(
            self.service, self.opener, decisions, FakeLibrary(bus, clock), self.toasts,
            with_house_closed=self.house.with_house_closed, clock=clock, supervisor=supervisor,
        )  # fmt: skip

    @property
    def view(self) -> CareView:
        return self.care.view.value

    @property
    def toast(self) -> str:
        return self.toasts.last.value.text if self.toasts.last.value is not None else ""


@pytest.fixture
def house(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> House:
    return House(bus, clock, supervisor)


async def test_settings_shows_a_line_that_costs_no_measuring(house: House) -> None:
    house.service.failures["report"] = PassingError("It was measured")
    await house.care.sum_up()
    assert house.view.summary == "212.0 MB on this disk · backed up 3 h ago"
    house.service.found.clear()
    await house.care.sum_up()
    assert house.view.summary == "212.0 MB on this disk · not backed up yet"


async def test_the_page_says_what_takes_how_much_the_largest_first(house: House) -> None:
    await house.care.load()
    assert [room.sentence for room in house.view.rooms] == [
        "Messages, 84.1 MB",
        "Passages and their index, 61.0 MB",
        "Vectors, 42.9 MB",
        "Calls and originals, 2.4 MB",
        "Everything else, 96 kB",
        "Free, used before the file grows, 5.0 MB",
    ]
    assert house.view.rooms[0].share == 1


async def test_a_store_that_can_not_be_measured_says_so(house: House) -> None:
    house.service.failures["report"] = PassingError("The store is busy")
    await house.care.load()
    assert house.toast == "The store is busy."
    assert house.view.backups


async def test_when_it_was_last_found_sound_is_told(house: House) -> None:
    await house.care.sum_up()
    assert house.view.soundness == "Found sound before the last backup, today 07:32."
    await house.care.check()
    assert house.view.soundness == "Found sound today 10:32: every page was read."
    assert not house.view.is_checking


async def test_a_check_is_told_of_until_a_backup_proves_the_store_sound_anew(house: House) -> None:
    house.service.sound_at = samples.NOW - timedelta(hours=26)
    await house.care.sum_up()
    assert house.view.soundness == "Found sound before the last backup, today 07:32."
    house.service.found = []
    await house.care.sum_up()
    assert house.view.soundness == "Found sound yesterday 08:32: every page was read."


async def test_damage_that_a_check_finds_stays_to_be_seen(house: House) -> None:
    house.service.failures["check"] = DAMAGED
    await house.care.check()
    await house.care.load()
    assert not house.view.is_sound
    assert house.view.soundness.startswith("The store is damaged. Nothing more is backed up.")
    house.service.failures.clear()
    await house.care.check()
    assert house.view.is_sound


async def test_a_backup_can_be_made_now(house: House) -> None:
    await house.care.back_up()
    assert house.toast == "A backup was made"
    assert [backup.when for backup in house.view.backups] == ["today 10:32", "today 07:32", "yesterday 07:32"]
    assert house.view.summary.endswith("backed up just now")


async def test_no_backup_is_made_of_a_damaged_store_nor_without_room(house: House) -> None:
    house.service.failures["back_up"] = DAMAGED
    await house.care.back_up()
    assert (house.toast, house.view.is_sound) == ("", False)
    house.service.failures["back_up"] = UserCanFixError("There is no room for a backup")
    with pytest.raises(UserCanFixError):
        await house.care.back_up()
    assert not house.view.is_backing_up


async def test_a_backup_is_put_back_only_after_a_question(house: House) -> None:
    await house.care.sum_up()
    house.care.ask_to_restore(NEWEST.file)
    assert [backup.is_asked for backup in house.view.backups] == [True, False]
    assert house.service.done == []
    house.care.ask_to_restore(None)
    assert not any(backup.is_asked for backup in house.view.backups)
    await house.care.restore(NEWEST.file)
    assert house.service.done == [f"restored {NEWEST.file.name}"]
    assert house.house.said == ["The memory is as it was today 07:32. What was there before is kept aside"]


async def test_an_export_tells_what_and_where_and_that_it_is_not_encrypted(house: House) -> None:
    await house.care.export(Path("/home/rui/Notes"))
    assert house.service.exports == [Path("/home/rui/Notes")]
    assert house.view.vault == Path("/home/rui/Notes/Heedful memory")
    assert house.view.export_told == (
        "41,208 messages, 12 events and 7 items lie in /home/rui/Notes/Heedful memory. They are not encrypted."
    )


async def test_an_export_that_failed_offers_no_vault(house: House) -> None:
    house.service.failures["export"] = UserCanFixError("The export can't be written")
    with pytest.raises(UserCanFixError):
        await house.care.export(Path("/full"))
    assert (house.view.vault, house.view.is_exporting) == (None, False)


async def test_without_obsidian_the_folder_opens_and_the_person_is_told(house: House) -> None:
    await house.care.open_vault()
    assert house.opener.opened == []
    await house.care.export(Path("/notes"))
    house.opener.outcome = "folder"
    await house.care.open_vault()
    assert house.opener.opened == [Path("/notes/Heedful memory")]
    assert house.toast == "Obsidian is not installed here, so the folder is open instead"
    house.opener.outcome = "nothing"
    await house.care.open_vault()
    assert house.toast == "Nothing here opens folders. It lies in /notes/Heedful memory"


async def test_the_folder_of_the_backups_can_be_seen(house: House) -> None:
    await house.care.show_folder(house.view.backup_folder)
    assert house.opener.opened == [FOLDER]
    house.opener.shows_folders = False
    await house.care.show_folder(house.view.backup_folder)
    assert house.toast == f"Nothing here opens folders. It lies in {FOLDER}"


@pytest.mark.parametrize("typed", ["", "yes", "wip", "wipe it"])
async def test_nothing_is_wiped_without_its_word(house: House, typed: str) -> None:
    await house.care.wipe(typed)
    assert house.service.done == []


async def test_the_typed_word_wipes(house: House) -> None:
    await house.care.wipe(" Wipe ")
    assert house.service.done == ["wiped"]
    assert house.house.said == ["Everything remembered is gone. Settings are kept"]


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 kB"), (96_000, "96 kB"), (100_000, "0.1 MB"), (3_200_000_000, "3.2 GB")]
)
def test_sizes_are_said_as_people_say_them(size: int, words: str) -> None:
    assert size_words(size) == words
