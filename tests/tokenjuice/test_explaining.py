from heedful.tokenjuice import Juicer, Kind, Layer, Request
from tests.tokenjuice.samples import log_with


def test_an_explanation_names_the_rule_its_layer_and_its_rivals_with_scores() -> None:
    explanation = Juicer().explain(
        Request(log_with("ERROR disk full"), command="journalctl -u app", exit_code=0)
    )

    assert explanation.matched.rule.id == "service/journalctl"
    assert explanation.layer is Layer.BUILTIN
    assert explanation.path == "service.json"
    assert "generic/fallback" in [found.rule.id for found in explanation.runners_up]
    assert explanation.matched.score > explanation.runners_up[0].score
    assert explanation.kinds[0] is Kind.LOG


def test_each_step_shows_what_it_cut() -> None:
    explanation = Juicer().explain(
        Request(log_with("ERROR disk full"), command="journalctl -u app", exit_code=0)
    )

    step = explanation.squeezed.steps[-1]
    assert step.name == "represented"
    assert step.removed > 500
    assert all(line in explanation.before for line in step.sample)


def test_explaining_compresses_no_differently() -> None:
    text = log_with("ERROR disk full")

    explained = Juicer().explain(Request(text, command="journalctl")).squeezed

    assert explained == Juicer().compress(text, command="journalctl")
