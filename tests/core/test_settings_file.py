"""What a settings file may say, and what saving leaves of it."""

from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.core.settings import (
    BudgetSettings,
    ClientSettings,
    LoopSettings,
    NotificationSettings,
    ProviderSettings,
    Settings,
    WindowSettings,
    effective_model,
    load_settings,
    save_settings,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_everything_has_a_default_that_needs_no_account(file: Path) -> None:
    settings = load_settings(file)
    assert settings == Settings()
    assert settings.provider.preset == "builtin"
    assert settings.notifications.quiet_from == time(22, 0)
    assert not file.exists()


def test_every_setting_survives_a_save_and_a_load(file: Path) -> None:
    chosen = Settings(
        loop=LoopSettings(interval_minutes=30, first_look_after_s=0),
        provider=ProviderSettings(
            preset="custom",
            base_url="http://127.0.0.1:8080/v1",
            model="small",
            threads_per_call=3,
            input_price=0.15,
            output_price=0.6,
        ),
        budget=BudgetSettings(daily_tokens=1, daily_cost=2.0),
        notifications=NotificationSettings(
            enabled=False, daily_limit=0, quiet_from=time(23, 30), quiet_until=time(7, 15)
        ),
        window=WindowSettings(theme="dark"),
    )
    save_settings(file, chosen)
    assert load_settings(file) == chosen


def test_a_save_writes_only_what_was_chosen(file: Path) -> None:
    save_settings(file, Settings(window=WindowSettings(theme="light")))
    assert file.read_text(encoding="utf-8") == '[window]\ntheme = "light"\n'


def test_a_save_keeps_comments_and_the_lines_it_does_not_change(file: Path) -> None:
    text = (
        "# mine\n[loop]\ninterval_minutes = 10  # not too often\n\n"
        "[budget]\n# a coffee\ndaily_cost = 1.00 # dollars\ndaily_tokens = 1_000\n"
    )
    written(file, text)
    save_settings(file, replace(load_settings(file), loop=LoopSettings(interval_minutes=20)))
    assert file.read_text(encoding="utf-8") == text.replace("minutes = 10", "minutes = 20")


def test_a_price_that_is_unknown_again_leaves_the_file(file: Path) -> None:
    priced = Settings(provider=ProviderSettings(input_price=1.0))
    save_settings(file, priced)
    save_settings(file, replace(priced, provider=ProviderSettings()))
    assert load_settings(file).provider.input_price is None


def test_a_setting_put_back_to_its_default_holds_after_a_load(file: Path) -> None:
    save_settings(file, Settings(loop=LoopSettings(interval_minutes=60)))
    save_settings(file, Settings())
    assert load_settings(file) == Settings()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[loop]\ninterval = 5\n", "loop.interval: there is no such setting"),
        ("[looop]\n", "looop: there is no such section"),
        ("loop = 5\n", "loop: this is a section, written [loop]"),
        ("[loop]\ninterval_minutes = 0\n", "loop.interval_minutes: a number from 1 to 1440"),
        ("[loop]\ninterval_minutes = true\n", "loop.interval_minutes: a whole number"),
        ("[loop]\ninterval_minutes = 5.0\n", "loop.interval_minutes: a whole number"),
        ("[provider]\ninput_price = 'cheap'\n", "provider.input_price: a number is needed"),
        ("[provider]\npreset = 'custom'\n", "provider.base_url: it is needed with the preset 'custom'"),
        ("[budget]\ndaily_cost = inf\n", "budget.daily_cost: a number from 0"),
        ("[budget]\ndaily_cost = nan\n", "budget.daily_cost: a number from 0"),
        (f"[budget]\ndaily_cost = {10**400}\n", "budget.daily_cost: a number from 0"),
        ("[notifications]\nquiet_from = '22:00'\n", "notifications.quiet_from: a time is needed"),
        ("[notifications]\nenabled = 1\n", "notifications.enabled: true or false is needed"),
        ("[notifications]\ndaily_limit = 21\n", "notifications.daily_limit: a number from 0 to 20"),
        ("[window]\ntheme = 'pink'\n", "window.theme: 'system' or 'light' or 'dark' is needed"),
        ("[window\n", "is not valid TOML"),
        ("[loop]\ninterval_minutes = 5\ninterval_minutes = 6\n", "is not valid TOML"),
    ],
)
def test_a_file_that_says_something_unknown_is_told_with_its_place_and_left_alone(
    file: Path, text: str, told: str
) -> None:
    written(file, text)
    with pytest.raises(UserCanFixError, match="settings file") as caught:
        load_settings(file)
    assert told in caught.value.title
    assert str(file) in caught.value.title
    with pytest.raises(UserCanFixError):
        save_settings(file, Settings(window=WindowSettings(theme="dark")))
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_is_not_text_or_not_a_file_is_told_in_a_sentence(file: Path) -> None:
    written(file, "")
    file.write_bytes(b"\xff\xfe[loop]")
    with pytest.raises(UserCanFixError, match="can't be read"):
        load_settings(file)
    file.unlink()
    file.mkdir()
    with pytest.raises(UserCanFixError, match="can't be read"):
        load_settings(file)


@pytest.mark.parametrize(
    "chosen",
    [
        Settings(loop=LoopSettings(interval_minutes=0)),
        Settings(provider=ProviderSettings(preset="custom")),
        Settings(budget=BudgetSettings(daily_cost=float("inf"))),
    ],
)
def test_what_could_not_be_loaded_again_is_never_saved(file: Path, chosen: Settings) -> None:
    with pytest.raises(UserCanFixError, match="can't be a setting"):
        save_settings(file, chosen)
    assert not file.exists()


def test_a_save_that_fails_leaves_the_old_file_whole(file: Path) -> None:
    save_settings(file, Settings(window=WindowSettings(theme="dark")))
    before = file.read_bytes()
    file.with_name("settings.toml.new").mkdir()  # nothing can be written there now
    with pytest.raises(UserCanFixError, match="can't be saved"):
        save_settings(file, Settings(window=WindowSettings(theme="light")))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("minutes", "seconds"), [(1, 300.0), (4, 300.0), (5, 300.0), (6, 360.0), (1440, 86400.0)]
)
def test_an_interval_below_five_minutes_counts_as_five(minutes: int, seconds: float) -> None:
    assert LoopSettings(interval_minutes=minutes).effective_interval_s == seconds


def test_the_model_is_the_persons_choice_before_the_environment_before_the_preset() -> None:
    environment = {"OPENHUMAN_CONSCIOUS_MODEL": "from-outside"}
    assert effective_model(ProviderSettings(model="mine"), environment, "preset") == "mine"
    assert effective_model(ProviderSettings(), environment, "preset") == "from-outside"
    assert effective_model(ProviderSettings(), {}, "preset") == "preset"


def test_a_client_that_the_person_names_may_read_what_they_wrote_for_it(file: Path) -> None:
    written(
        file,
        '[clients.notes-helper]\nsources = ["Work mail", "3f0c"]\nstays_local = true\n[clients."*"]\nsources = []\n',
    )
    assert load_settings(file).clients == {
        "notes-helper": ClientSettings(("Work mail", "3f0c"), stays_local=True),
        "*": ClientSettings(()),
    }


def test_a_save_leaves_the_clients_as_the_person_wrote_them(file: Path) -> None:
    text = "[clients.notes-helper] # mine\nsources = []\n"
    written(file, text)
    save_settings(file, replace(load_settings(file), window=WindowSettings(theme="dark")))
    assert text in file.read_text(encoding="utf-8")
    assert load_settings(file).clients == {"notes-helper": ClientSettings(())}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[clients]\nhelper = 1\n", "clients.helper: this is a section"),
        ("[clients.helper]\nsources = 'all'\n", "clients.helper.sources: a list"),
        ("[clients.helper]\nsources = [1]\n", "clients.helper.sources: a list"),
        ("[clients.helper]\nsource = []\n", "clients.helper.source: there is no such setting"),
        ("[clients.helper]\nstays_local = 1\n", "clients.helper.stays_local: true or false is needed"),
        ("[clients.helper]\nname = 'other'\n", "clients.helper.name: there is no such setting"),
    ],
)
def test_a_client_written_wrongly_is_told_with_its_place(file: Path, text: str, place: str) -> None:
    with pytest.raises(UserCanFixError, match=place):
        load_settings(written(file, text))
