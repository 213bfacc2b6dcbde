"""No secret passes the one door, whatever field it stands in and wherever it is cut."""

from hypothesis import given
from hypothesis import strategies as st

from heedful.memory.messages.cleaning import storable, without_secrets
from heedful.reading import Zone, ZoneKind, redact
from heedful.sources import Incoming, Person, Rejected
from heedful.storage import Store
from tests.memory.incoming import A, dump, event, letter, rows, take, whole

KEY_BLOCK = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"

# What must never be found again, in the sentence it comes in.
SECRETS = {
    "sk-ant-api03-abcdEFGH1234abcdEFGH1234": "key: {}",
    "sk-proj-1234567890abcdefghijABCD": "use {} for now",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789": "token {}",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz": "{}",
    "glpat-abcdefghij1234567890": "the runner has {}",
    "AKIAIOSFODNN7EXAMPLE": "id {}",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv": "maps {}",
    "sk_live_" + "abcdefghijklmnop1234": "stripe {}",
    "xoxb-" + "123456789012-abcdefABCDEF": "slack {}",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789": "{}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdef": "jwt {}",
    "hunter2hunter2": "password: {}",
    "Tr0ub4dor&3": "The password is {}",
    "s3cr3t-p4ss": "https://admin:{}@host.example/",
    "0123456789abcdef0123": "https://host.example/?access_token={}",
    "dGhpcyBpcyBhIHNlY3JldA1": "Authorization: Bearer {}",
    "4111 1111 1111 1111": "card {} exp 12/28",
    KEY_BLOCK: "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
}


def sentences() -> list[str]:
    return [sentence.format(secret) for secret, sentence in SECRETS.items()]


def covered(text: str, *cuts: int) -> tuple[Zone, ...]:
    """Zones that cover the text, cut at these places."""
    ends = [*sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    starts = [0, *ends[:-1]]
    kinds = (ZoneKind.NEW, ZoneKind.QUOTED)
    return tuple(Zone(kinds[n % 2], a, b) for n, (a, b) in enumerate(zip(starts, ends, strict=True)))


def letter_of(text: str, *cuts: int) -> Incoming:
    return letter(1, text, zones=covered(text, *cuts))


async def test_a_secret_of_each_shape_in_any_field_is_nowhere_in_the_store(store: Store) -> None:
    for number, sentence in enumerate(sentences()):
        items = [
            letter(10 * number, f"Hello\n{sentence}\nBye"),
            letter(10 * number + 1, "Hello", subject=sentence),
            letter(10 * number + 2, "Hello", thread_title=sentence),
            letter(10 * number + 3, "Hello", author=Person(sentence, "a@x.example"), to=(Person(sentence),)),
            whole(letter(10 * number + 4, "Hello"), attachments=(sentence,)),
            event(10 * number + 5, raw=f"BEGIN:VCALENDAR\r\nDESCRIPTION:{sentence}\r\nEND:VCALENDAR\r\n"),
        ]
        intake = await take(store, A, *items, rejected=[Rejected(f"byte {number}", f"It says {sentence}")])
        assert intake.new == len(items)
        assert intake.redacted >= 4
    everything = await dump(store)
    for secret in SECRETS:
        assert secret not in everything
        assert secret not in everything.replace("\\n", "\n")
    assert "[redacted: " in everything


async def test_no_secret_is_in_the_search_index_either(store: Store) -> None:
    await take(store, A, letter(1, "password: hunter2hunter2"))
    found = await rows(store, "SELECT rowid FROM chunk_index WHERE chunk_index MATCH 'hunter2hunter2'")
    assert found == []


@given(
    st.sampled_from(sentences()),
    st.text(max_size=40),
    st.text(max_size=40),
    st.lists(st.integers(0, 200), max_size=4),
)
def test_zones_still_cover_the_text_after_redaction_wherever_they_were_cut(
    sentence: str, before: str, after: str, cuts: list[int]
) -> None:
    text = f"{before}\n{sentence}\n{after}"
    clean, _ = without_secrets(letter_of(text, *cuts))
    assert not redact(clean.text).counts
    assert [zone.start for zone in clean.zones] == [0, *(zone.end for zone in clean.zones[:-1])]
    assert clean.zones[-1].end == len(clean.text)


def test_zones_move_along_with_what_was_taken_out_before_them() -> None:
    mine, quoted = "password: hunter2hunter2\n", "> Shall we meet?\n"
    clean, count = without_secrets(letter_of(mine + quoted, len(mine)))
    first, second = clean.zones
    assert clean.text[second.start : second.end] == quoted
    assert clean.text[first.start : first.end] == "password: [redacted: password]\n"
    assert count == 1


def test_a_secret_that_runs_across_zones_leaves_nothing_that_counts_as_the_persons_words() -> None:
    text = SECRETS[KEY_BLOCK].format(KEY_BLOCK)
    clean, _ = without_secrets(letter_of(text, 40))
    assert KEY_BLOCK[:20] not in clean.text
    assert {zone.kind for zone in clean.zones} == {ZoneKind.QUOTED}


def test_what_holds_no_secret_is_the_very_same_thing() -> None:
    item = letter(1, "Your order is 123456. Call 555 0100, gate 4111.")
    assert without_secrets(item) == (item, 0)
    assert without_secrets(item)[0] is item


def test_cleaning_twice_changes_nothing_more() -> None:
    for sentence in sentences():
        once, _ = without_secrets(letter_of(sentence))
        assert without_secrets(once) == (once, 0)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=50))
def test_storable_text_is_as_long_as_before_and_valid(text: str) -> None:
    kept = storable(text)
    assert len(kept) == len(text)
    assert "\0" not in kept
    kept.encode("utf-8")
