"""How much TokenJuice saves at which retention, and the npm peer on the same inputs with the same metric.

`main(["--data", DIR])` prints the table and writes JSON with `--json FILE`. The peer is measured where `--peer DIR`
or HEEDFUL_BENCH_PEER names a folder that holds `node_modules/tokenjuice`. Times are processor times of this process.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median

from heedful.tokenjuice import Juicer, Kind, MemoryOriginals, Squeezed, tokens_in
from tests.benchmarks.juice_needles import Case, fixed_cases, generated_cases
from tests.benchmarks.juice_texts import bc3_threads, chats, html_mails, log_text
from tests.benchmarks.report import Figure, print_figures

_PEER = """
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { reduceExecution } = await import(pathToFileURL(process.argv[2]).href);
const out = [];
for (const input of JSON.parse(readFileSync(process.argv[3], "utf8"))) {
  out.push((await reduceExecution(input, {})).inlineText);
}
writeFileSync(process.argv[4], JSON.stringify(out));
"""
_SAVED = 0.8
_PEER_CHARS = 32_000
_PEER_CASES = 60
_ENTRY = Path("node_modules", "tokenjuice", "dist", "index.js")


def measure(asked: argparse.Namespace) -> list[Figure]:
    """Every measurement whose data is there; the needle suite runs on generated text without any."""
    data = asked.data or Path("no-such-folder")
    named = getattr(asked, "peer", None) or os.environ.get("HEEDFUL_BENCH_PEER")
    peer = _Peer(Path(named)) if named else None
    cases, seed = getattr(asked, "cases", 520), getattr(asked, "seed", 7)
    measurements: list[Callable[[], list[Figure]]] = [
        lambda: fixed_needles(data / "tool_output_needles", peer),
        lambda: needle_suite(data / "tool_output" / "loghub_2k", cases, seed, peer),
        lambda: fixtures(data / "tool_output" / "tokenjuice_fixtures"),
        lambda: captured(data / "tool_output" / "captured", peer),
        lambda: mails(data, peer),
        lambda: threads(data / "bc3"),
        lambda: conversations(data / "locomo"),
        lambda: speed(data),
        start,
    ]
    return [figure for measurement in measurements for figure in measurement()]


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes JSON where asked; 1 when a bound was missed."""
    parser = argparse.ArgumentParser(prog="juice")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--cases", type=int, default=520)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    figures = measure(asked)
    print_figures("juice", figures, sys.stdout)
    if asked.json is not None:
        asked.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=1), "utf-8")
    return int(not all(figure.held for figure in figures))


def _share(what: str, value: float, bound: float | None = None, note: str = "") -> Figure:
    return Figure(what, round(100 * value, 2), "%", None if bound is None else 100 * bound, "least", note)


class _Peer:
    """The npm package, asked once for a whole list of inputs."""

    def __init__(self, folder: Path) -> None:
        self._entry = (folder / _ENTRY).resolve()

    def texts(self, cases: Sequence[Case]) -> list[str]:
        inputs = [
            {
                "toolName": "exec",
                "command": case.command or "",
                "combinedText": case.text,
                "exitCode": case.exit_code or 0,
            }
            for case in cases
        ]
        with tempfile.TemporaryDirectory() as name:
            script, given, taken = (Path(name, part) for part in ("peer.mjs", "in.json", "out.json"))
            script.write_text(_PEER, "utf-8")
            given.write_text(json.dumps(inputs), "utf-8")
            command = ["node", str(script), str(self._entry), str(given), str(taken)]
            subprocess.run(command, check=True, timeout=3600)
            return [str(text) for text in json.loads(taken.read_text("utf-8"))]


def _beside(peer: _Peer, cases: Sequence[Case]) -> str:
    """What the peer and we save on the small ones of these texts together."""
    few = peer_sample(cases)
    before = sum(tokens_in(case.text) for case in few)
    theirs = 1 - sum(map(tokens_in, peer.texts(few))) / before
    kind = Kind.HTML if few[0].kind == "html" else None
    ours = (
        1
        - sum(
            Juicer()
            .compress(case.text, command=case.command, exit_code=case.exit_code, kind=kind)
            .output_tokens
            for case in few
        )
        / before
    )
    return f"on {len(few)} small ones {ours:.1%}, peer {theirs:.1%}"


def _saved(before: str, after: str) -> float:
    return 1 - tokens_in(after) / max(1, tokens_in(before))


def _squeeze(case: Case) -> Squeezed:
    return Juicer(originals=MemoryOriginals()).compress(
        case.text, command=case.command, exit_code=case.exit_code
    )


def fixed_needles(folder: Path, peer: _Peer | None) -> list[Figure]:
    """The five cases the peer is known to lose."""
    cases = list(fixed_cases(folder))
    figures = []
    theirs = peer.texts(cases) if peer else [""] * len(cases)
    for case, other in zip(cases, theirs, strict=True):
        text = _squeeze(case).text
        lines = [line for line in case.text.split("\n") if case.mark and case.mark in line]
        kept = all(line in text for line in lines) and (case.name != "json" or _is_json(text))
        saved = _saved(case.text, text)
        detail = (
            f"saved {saved:.1%}; peer kept {_peer_kept(case, other)}, saved {_saved(case.text, other):.1%}"
            if peer
            else f"saved {saved:.1%}"
        )
        figures.append(_share(f"needle kept: {case.name}", float(kept), 1.0, detail))
        if len(case.text) > 1000:
            figures.append(_share(f"needle saved: {case.name}", saved, _SAVED))
    return figures


def _peer_kept(case: Case, text: str) -> bool:
    return _is_json(text) if case.name == "json" else case.mark in text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def needle_suite(logs: Path, count: int, seed: int, peer: _Peer | None) -> list[Figure]:
    """The generated suite: share of cases whose needle is kept while at least 80 % is saved."""
    cases = generated_cases(logs, count=count, seed=seed)
    figures = _suite("ours", cases, [_squeeze(case).text for case in cases], bar=0.95)
    if peer is not None:
        few = peer_sample(cases)
        figures += _suite("ours on the peer's sample", few, [_squeeze(case).text for case in few], bar=None)
        figures += _suite("peer on the same sample", few, peer.texts(few), bar=None)
    return figures


def peer_sample(cases: Sequence[Case]) -> list[Case]:
    """The cases the peer gets, spread over all kinds: it needs half a minute for a hundred kilobytes."""
    small = [case for case in cases if len(case.text) <= _PEER_CHARS]
    return small[:: max(1, len(small) // _PEER_CASES)][:_PEER_CASES]


def _suite(who: str, cases: Sequence[Case], texts: Sequence[str], *, bar: float | None) -> list[Figure]:
    kept = [case.mark in text for case, text in zip(cases, texts, strict=True)]
    saved = [_saved(case.text, text) for case, text in zip(cases, texts, strict=True)]
    chars = [1 - len(text) / len(case.text) for case, text in zip(cases, texts, strict=True)]
    both = [k and s >= _SAVED and c >= _SAVED for k, s, c in zip(kept, saved, chars, strict=True)]
    kinds = dict.fromkeys(case.kind for case in cases)
    detail = ", ".join(
        f"{kind} {sum(k for k, case in zip(kept, cases, strict=True) if case.kind == kind)}"
        f"/{sum(case.kind == kind for case in cases)}"
        for kind in kinds
    )
    return [
        _share(f"suite, {who}: needles kept", sum(kept) / len(cases), bar, detail),
        _share(
            f"suite, {who}: kept and at least 80 % saved", sum(both) / len(cases), bar, f"{len(cases)} cases"
        ),
        _share(f"suite, {who}: median tokens saved", median(saved), None, f"least {min(saved):.1%}"),
    ]


def fixtures(folder: Path) -> list[Figure]:
    """The peer's own fixtures: same family, and what they say must and must not be there."""
    held, families, lengths = [], [], []
    for path in sorted(folder.rglob("*.fixture.json")):
        fixture = json.loads(path.read_text("utf-8"))
        given, expect = fixture["input"], fixture["expect"]
        text = given.get("combinedText") or given.get("stdout") or ""
        command = given.get("command") or " ".join(given.get("argv") or []) or None
        squeezed = Juicer().compress(
            text, command=command, exit_code=given.get("exitCode"), tool=given.get("toolName")
        )
        told = f"{squeezed.text}\n{squeezed.facts_line()}"
        families.append(squeezed.family == expect["family"])
        held.append(
            all(part in told for part in expect.get("contains", []))
            and not any(part in told for part in expect.get("excludes", []))
        )
        lengths.append(len(squeezed.text) <= len(text))
    if not held:
        return []
    return [
        _share("fixtures: same family", sum(families) / len(families), 0.98, f"{len(families)} fixtures"),
        _share("fixtures: contains and excludes hold", sum(held) / len(held), 0.98),
        _share("fixtures: never longer", sum(lengths) / len(lengths), 1.0),
    ]


def captured(folder: Path, peer: _Peer | None) -> list[Figure]:
    """Real command outputs: tokens saved, ours and the peer's, errors kept."""
    index = folder / "index.jsonl"
    if not index.exists():
        return []
    cases = []
    for line in index.read_text("utf-8").splitlines():
        entry = json.loads(line)
        path = folder / entry["file"]
        if path.exists():
            cases.append(
                Case(
                    path.stem,
                    "captured",
                    path.read_text("utf-8", errors="replace"),
                    "",
                    entry["command"],
                    entry["exit_code"],
                )
            )
    before = sum(tokens_in(case.text) for case in cases)
    ours = sum(_squeeze(case).output_tokens for case in cases)
    detail = f"{len(cases)} outputs"
    if peer is not None:
        detail += f"; {_beside(peer, cases)}"
    return [_share("captured outputs: tokens saved", 1 - ours / before, None, detail)]


def mails(data: Path, peer: _Peer | None) -> list[Figure]:
    """HTML mail: tokens saved and facts kept."""
    found = html_mails(data)
    if not found:
        return []
    squeezed = [Juicer().compress(markup, kind=Kind.HTML) for markup, _ in found]
    before = sum(s.input_tokens for s in squeezed)
    facts = [(fact, s) for (_, facts), s in zip(found, squeezed, strict=True) for fact in facts]
    kept = sum(_bare(fact) in _bare_cached(s) for fact, s in facts)
    chars = 1 - sum(len(s.text) for s in squeezed) / sum(len(markup) for markup, _ in found)
    detail = f"{len(found)} mails, {chars:.1%} of characters"
    if peer is not None:
        cases = [Case("", "html", markup, "", None) for markup, _ in found]
        detail += f"; {_beside(peer, cases)}"
    return [
        _share("HTML mail: tokens saved", 1 - sum(s.output_tokens for s in squeezed) / before, 0.6, detail),
        _share(
            "HTML mail: dates, amounts, addresses, names kept",
            kept / len(facts),
            0.995,
            f"{len(facts)} facts",
        ),
    ]


_BARE: dict[int, str] = {}


def _bare(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _bare_cached(squeezed: Squeezed) -> str:
    key = id(squeezed)
    if key not in _BARE:
        _BARE[key] = _bare(squeezed.text)
    return _BARE[key]


def threads(folder: Path) -> list[Figure]:
    """Mailing-list threads: tokens saved with every labelled sentence kept."""
    found = bc3_threads(folder)
    if not found:
        return []
    labelled = kept = before = after = chars_before = chars_after = 0
    for text, sentences in found:
        squeezed = Juicer().compress(text)
        bare = _bare(squeezed.text)
        labelled += len(sentences)
        kept += sum(_bare(sentence) in bare for sentence in sentences)
        before, after = before + squeezed.input_tokens, after + squeezed.output_tokens
        chars_before, chars_after = chars_before + len(text), chars_after + len(squeezed.text)
    detail = f"{len(found)} threads, {1 - chars_after / chars_before:.1%} of characters"
    return [
        _share("quoted threads: tokens saved", 1 - after / before, 0.45, detail),
        _share("quoted threads: labelled sentences kept", kept / labelled, 1.0, f"{labelled} sentences"),
    ]


def conversations(folder: Path) -> list[Figure]:
    """Chats in the form of exports: tokens saved with every evidence turn kept word for word."""
    figures = []
    for form in ("export", "plain"):
        for pins in (False, True):
            rows = [
                (text, turns, Juicer().compress(text, pinned=turns if pins else ()))
                for text, turns in chats(folder, form)
            ]
            if not rows:
                continue
            before, after = sum(s.input_tokens for _, _, s in rows), sum(s.output_tokens for _, _, s in rows)
            turns = [
                turn in folded
                for _, found, s in rows
                for folded in [" ".join(s.text.split())]
                for turn in found
            ]
            name = f"chat, {form}{', evidence pinned' if pins else ''}"
            chars = 1 - sum(len(s.text) for _, _, s in rows) / sum(len(text) for text, _, _ in rows)
            bar = 0.25 if form == "export" or pins else None
            figures.append(
                _share(f"{name}: tokens saved", 1 - after / before, bar, f"{chars:.1%} of characters")
            )
            figures.append(
                _share(f"{name}: evidence turns kept", sum(turns) / len(turns), 1.0, f"{len(turns)} turns")
            )
    return figures


def speed(data: Path) -> list[Figure]:
    """Megabytes a second on one core, the best of three."""
    log, markup = log_text(data / "tool_output" / "loghub_2k"), [text for text, _ in html_mails(data)]
    juicer = Juicer()
    juicer.compress("warm up")
    figures = []
    for name, texts, bar, kind in (("log text", [log], 20.0, Kind.LOG), ("HTML", markup, 3.0, Kind.HTML)):
        size = sum(map(len, texts))
        if size:
            rate = size / 1e6 / _best(juicer, texts, kind)
            figures.append(Figure(f"speed: {name}", rate, "MB/s", bar, "least", f"{size / 1e6:.1f} MB"))
    return figures


def _best(juicer: Juicer, texts: Sequence[str], kind: Kind) -> float:
    times = []
    for _ in range(3):
        begin = time.process_time()
        for text in texts:
            juicer.compress(text, kind=kind)
        times.append(time.process_time() - begin)
    return min(times)


def start() -> list[Figure]:
    """Milliseconds to import the package and read every rule, the best of five fresh processes."""
    code = (
        "import time, sys\nbegin = time.process_time()\nimport heedful.tokenjuice as t\n"
        "count = len(t.RuleBook().rules())\nprint(count, (time.process_time() - begin) * 1000)"
    )
    with tempfile.TemporaryDirectory() as compiled:
        surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", code]
        runs = [
            subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=60, env=surroundings
            ).stdout.split()
            for _ in range(8)
        ]
    best = min(float(run[1]) for run in runs)
    return [Figure("start: import and rules", best, "ms", 50, "most", f"{runs[0][0]} rules, processor time")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
