"""The one way through for every text.

Recognise it, apply the rule that speaks for it, keep what was pinned, fit the budget, add the trailer, and give the
input back untouched when nothing was gained.
"""

import json
from dataclasses import replace

from heedful.tokenjuice.budget import cap
from heedful.tokenjuice.classification import Origin, Scored, classify
from heedful.tokenjuice.command import read_command
from heedful.tokenjuice.estimate import tokens_in
from heedful.tokenjuice.exchange import Request, Squeezed
from heedful.tokenjuice.layers import Layer, RuleBook
from heedful.tokenjuice.ledger import Step
from heedful.tokenjuice.looks import looks_like
from heedful.tokenjuice.originals import Originals, original_bytes
from heedful.tokenjuice.reducing import Reduced, reduce_text
from heedful.tokenjuice.rule import Kind, Rule, Shape
from heedful.tokenjuice.trailer import Account, fitted, split_trailer, trailers

_JSON_KEY = "_juice"
_LONG_LOG_LINES = 200


def squeeze(
    request: Request, book: RuleBook, *, originals: Originals | None
) -> tuple[Squeezed, Origin, list[Scored]]:
    """The shorter text, what was known of it, and every rule that matched, the one that spoke first."""
    origin = _origin(request)
    rules = book.rules()
    scored = _printed_logs_first(
        classify((located.rule for located in rules.values()), origin), request, origin
    )
    rule = scored[0].rule
    request = _with_rule_budget(request, rule)
    untouched = _untouched(request, rule, rules[rule.id].layer)
    if not request.text or _is_squeezed(request.text):
        return _within(untouched, request), origin, scored
    shape = _shape(rule, origin)
    reduced = reduce_text(request.text, rule, shape=shape, exit_code=request.exit_code, pinned=request.pinned)
    reduced = _with_pins(reduced, request)
    squeezed = _finished(
        request, untouched, reduced=reduced, originals=originals, is_json=shape is Shape.JSON
    )
    return squeezed, origin, scored


def _finished(
    request: Request, untouched: Squeezed, *, reduced: Reduced, originals: Originals | None, is_json: bool
) -> Squeezed:
    told = replace(untouched, facts=reduced.facts)
    if not reduced.ledger.steps:
        return _within(told, request, originals=originals)
    text, steps = reduced.text, tuple(reduced.ledger.steps)
    if request.budget_tokens is not None and not is_json:
        text, steps = _capped(text, steps, request)
    lines = _line_count(text)
    account = Account(
        rule_id=told.rule,
        layer=told.layer.value,
        lines_before=told.input_lines,
        lines_after=lines,
        tokens_before=told.input_tokens,
        tokens_after=tokens_in(text),
        steps=steps,
        facts=told.facts,
        retrieve_id=_kept(request.text, steps, originals=originals),
    )
    final = _json_told(text, account, request.text) if is_json else _told(text, account, request)
    if final is None:
        return _within(told, request, originals=originals)
    final_tokens = tokens_in(final)
    return replace(
        told,
        text=final,
        steps=steps,
        output_tokens=final_tokens,
        output_lines=lines,
        retrieve_id=account.retrieve_id,
    )


def _kept(text: str, steps: tuple[Step, ...], *, originals: Originals | None) -> str | None:
    if originals is None or not any(step.removed for step in steps):
        return None
    return originals.put(original_bytes(text))


def _origin(request: Request) -> Origin:
    command = read_command(request.command) if request.command else None
    kinds = (request.kind,) if request.kind is not None else looks_like(request.text)
    return Origin(command, request.tool, kinds)


def _with_rule_budget(request: Request, rule: Rule) -> Request:
    """The request with the smaller of its own budget and the rule's."""
    if rule.truncate.tokens is None:
        return request
    budgets = [budget for budget in (request.budget_tokens, rule.truncate.tokens) if budget is not None]
    return replace(request, budget_tokens=min(budgets))


def _printed_logs_first(scored: list[Scored], request: Request, origin: Origin) -> list[Scored]:
    """A long log read with `cat` or `tail` is still a log: the rule for its looks goes before the reader's."""
    if scored[0].rule.shape is not Shape.VERBATIM or origin.kinds[:1] != (Kind.LOG,):
        return scored
    if request.text.count("\n") < _LONG_LOG_LINES:
        return scored
    by_looks = [found for found in scored if Kind.LOG in found.rule.match.content]
    return by_looks + [found for found in scored if found not in by_looks]


def _untouched(request: Request, rule: Rule, layer: Layer) -> Squeezed:
    tokens, lines = tokens_in(request.text), _line_count(request.text)
    return Squeezed(
        text=request.text,
        rule=rule.id,
        family=rule.family,
        layer=layer,
        steps=(),
        facts=(),
        input_tokens=tokens,
        output_tokens=tokens,
        input_lines=lines,
        output_lines=lines,
        exit_code=request.exit_code,
    )


def _shape(rule: Rule, origin: Origin) -> Shape:
    """The rule's shape; a program that printed JSON is read as JSON, unless its rule wants lines of it."""
    if rule.shape is Shape.LINES and not rule.pretty_json and origin.kinds and origin.kinds[0] is Kind.JSON:
        return Shape.JSON
    return rule.shape


def _is_squeezed(text: str) -> bool:
    if split_trailer(text)[1]:
        return True
    if text[:1] not in {"{", "["} or _JSON_KEY not in text[-400:]:
        return False
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return False
    last = document[-1] if isinstance(document, list) and document else document
    return isinstance(last, dict) and _JSON_KEY in last


def _with_pins(reduced: Reduced, request: Request) -> Reduced:
    """The reduction with any pinned quote that a rewriting lost put back at its end."""
    if not request.pinned:
        return reduced
    have = _folded(reduced.text)
    source = _folded(request.text)
    lost = [quote for quote in request.pinned if (folded := _folded(quote)) in source and folded not in have]
    if not lost:
        return reduced
    reduced.ledger.steps.append(
        Step("pins put back", 0, written=sum(quote.count("\n") + 1 for quote in lost))
    )
    return replace(reduced, text="\n".join([reduced.text, *lost]))


def _line_count(text: str) -> int:
    return text.count("\n") + 1 if text else 0


def _folded(text: str) -> str:
    return " ".join(text.replace(">", " ").split())


def _capped(text: str, steps: tuple[Step, ...], request: Request) -> tuple[str, tuple[Step, ...]]:
    budget = request.budget_tokens or 0
    shorter, removed, written = cap(text, budget_tokens=max(1, budget - 40), pinned=request.pinned)
    if not removed and shorter == text:
        return text, steps
    return shorter, (*steps, Step("budget", removed, written, len(text) - len(shorter)))


def _within(told: Squeezed, request: Request, *, originals: Originals | None = None) -> Squeezed:
    """An untouched text, cut only if it does not fit the budget; its trailer, if it has one, stays."""
    budget = request.budget_tokens
    if budget is None or told.input_tokens <= budget:
        return told
    body, trailer = split_trailer(request.text)
    room = max(1, budget - (tokens_in(trailer) if trailer else 40))
    shorter, removed, written = cap(body, budget_tokens=room, pinned=request.pinned)
    if shorter == body:
        return told
    step = Step("budget", removed, written, len(body) - len(shorter))
    retrieve_id = originals.put(original_bytes(request.text)) if originals and not trailer else None
    lines = _line_count(shorter)
    account = Account(
        told.rule,
        told.layer.value,
        told.input_lines,
        lines,
        told.input_tokens,
        tokens_in(shorter),
        (step,),
        (),
        retrieve_id,
    )
    ways = [trailer] if trailer else trailers(account)
    final = fitted(shorter, ways, limit=request.text, limit_tokens=told.input_tokens)
    if final is None:
        return told
    return replace(
        told,
        text=final,
        steps=(step,),
        output_tokens=tokens_in(final),
        output_lines=lines,
        retrieve_id=retrieve_id,
    )


def _told(text: str, account: Account, request: Request) -> str | None:
    """The text with its trailer, after a line with the exit code where there is room for it."""
    ways = list(trailers(account))
    if request.exit_code:
        told = fitted(
            f"exit {request.exit_code}\n{text}", ways, limit=request.text, limit_tokens=account.tokens_before
        )
        if told is not None:
            return told
    return fitted(text, ways, limit=request.text, limit_tokens=account.tokens_before)


def _json_told(text: str, account: Account, before: str) -> str | None:
    """The document with its account inside, so that it is still a document."""
    for way in trailers(account):
        note = json.dumps(way.strip("[]"), ensure_ascii=False)
        if text.endswith("}") and len(text) > 2:
            told = f'{text[:-1]},"{_JSON_KEY}":{note}}}'
        elif text.endswith("]"):
            told = f'{text[:-1]}{"," if len(text) > 2 else ""}{{"{_JSON_KEY}":{note}}}]'
        else:
            return None
        if len(told.encode("utf-8", "surrogatepass")) <= len(before.encode("utf-8", "surrogatepass")):
            return told
    return None
