"""What a verb's form alone says, as wordings: «te lo mando» is an «I will», «schickst du» a «can you»."""

from heedful.judgement.cues import Cues, Hit, Token, words_of
from heedful.judgement.verb_forms import VerbForms, verb_forms


def spoken_hits(
    tokens: tuple[Token, ...], starts: frozenset[int], book: Cues, *, is_question: bool
) -> tuple[Hit, ...]:
    """The hits of `commit`, `promised`, `can_you` and `verb` that a sentence holds by its verbs' forms."""
    forms = verb_forms(book.code)
    found: list[Hit] = []
    for place, token in enumerate(tokens if forms.infinitives else ()):
        if is_question and token.norm in forms.asked and _asks(tokens, place, starts, book, forms):
            found += [Hit("can_you", _first(tokens, place, book), place), Hit("verb", place, place + 1)]
        elif not is_question and token.norm in forms.spoken and _promises(tokens, place, starts, book, forms):
            found += [Hit("commit", _first(tokens, place, book), place), Hit("verb", place, place + 1)]
            if _is_said_to(tokens, place, "addressed", book):
                found.append(Hit("promised", place, place + 1))
    return tuple(found)


def is_denied(tokens: tuple[Token, ...], place: int, code: str) -> bool:
    """Whether the clause around a word says that it does not hold."""
    deniers = words_of(code, "denier")
    first = place
    while first > 0 and not tokens[first - 1].is_mark:
        first -= 1
    last = place
    while last < len(tokens) and not tokens[last].is_mark:
        last += 1
    return any(token.norm in deniers for token in tokens[first:last])


def _promises(
    tokens: tuple[Token, ...], place: int, starts: frozenset[int], book: Cues, forms: VerbForms
) -> bool:
    """Whether a form that a speaker says of themselves is one here, and stands under no condition."""
    if is_denied(tokens, place, book.code):
        return False
    before = _before(tokens, place, book)
    if forms.speaker and not _beside(tokens, place, forms.speaker):
        return place in starts and _is_said_to(tokens, place, "addressed", book)
    if before is None or before in words_of(book.code, "undercut"):
        return before is None
    is_noun = before in words_of(book.code, "article") | words_of(book.code, "before_noun")
    return forms.is_verb_last or not is_noun


def _asks(
    tokens: tuple[Token, ...], place: int, starts: frozenset[int], book: Cues, forms: VerbForms
) -> bool:
    """Whether a form that asks opens its clause and asks for something to be done, not whether it is done."""
    first = _first(tokens, place, book)
    if first not in starts and not (
        first > 0 and first - 1 in starts and tokens[first - 1].norm in forms.hearer
    ):
        return False
    if forms.is_verb_last and not _beside(tokens, place, forms.hearer):
        return False
    if _is_said_to(tokens, place, "self_word", book):
        return True
    passed = forms.hearer | words_of(book.code, "self_word") | words_of(book.code, "addressed")
    following = [token.norm for token in tokens[place + 1 : place + 5] if token.norm not in passed]
    return not (words_of(book.code, "article") | words_of(book.code, "contracted")).isdisjoint(following[:2])


def _pronouns(book: Cues) -> frozenset[str]:
    return words_of(book.code, "self_word") | words_of(book.code, "addressed") | words_of(book.code, "object")


def _first(tokens: tuple[Token, ...], place: int, book: Cues) -> int:
    """Where the pronouns that lean on a verb begin, the speaker's own among them."""
    leaning = _pronouns(book) | verb_forms(book.code).speaker | words_of(book.code, "said_by")
    while place > 0 and tokens[place - 1].norm in leaning:
        place -= 1
    return place


def _before(tokens: tuple[Token, ...], place: int, book: Cues) -> str | None:
    """The word before a verb and its pronouns; None at the beginning or behind a mark."""
    first = _first(tokens, place, book)
    return None if first == 0 or tokens[first - 1].is_mark else tokens[first - 1].norm


def _beside(tokens: tuple[Token, ...], place: int, words: frozenset[str]) -> bool:
    """Whether one of these words stands before a verb or behind it, at most a pronoun between them."""
    around = [*range(place - 1, max(-1, place - 3), -1), *range(place + 1, min(len(tokens), place + 2))]
    return any(tokens[near].norm in words for near in around if not tokens[near].is_mark)


def _is_said_to(tokens: tuple[Token, ...], place: int, cue: str, book: Cues) -> bool:
    """Whether a verb has a pronoun of this cue: before it, or right behind it and its subject."""
    wanted, forms = words_of(book.code, cue), verb_forms(book.code)
    if any(token.norm in wanted for token in tokens[_first(tokens, place, book) : place]):
        return True
    for token in tokens[place + 1 : place + 4]:
        if token.norm in wanted:
            return True
        if token.is_mark or token.norm not in _pronouns(book) | forms.speaker | forms.hearer:
            return False
    return False
