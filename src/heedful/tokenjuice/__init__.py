"""Compression that says what it removed and keeps what matters.

`Juicer.compress` recognises a text, applies the rule that speaks for it, and adds one trailer with the account;
`Juicer.explain` gives the reasons. Rules are JSON in three layers (`RuleBook`); originals that were cut can be
had back by id (`Originals`). Nothing here reads a clock or the network, and the same input gives the same output.
"""

from heedful.tokenjuice.classification import Scored, shell_rules_reachable
from heedful.tokenjuice.command import SHELL_TOOL_NAMES
from heedful.tokenjuice.estimate import tokens_in
from heedful.tokenjuice.exchange import Request, Squeezed
from heedful.tokenjuice.juicer import Explanation, Juicer
from heedful.tokenjuice.layers import Layer, Located, Problem, RuleBook
from heedful.tokenjuice.ledger import Step
from heedful.tokenjuice.originals import MemoryOriginals, Originals
from heedful.tokenjuice.rule import Kind, Rule, RuleError
from heedful.tokenjuice.rule_reading import read_rule

__all__ = [
    "SHELL_TOOL_NAMES",
    "Explanation",
    "Juicer",
    "Kind",
    "Layer",
    "Located",
    "MemoryOriginals",
    "Originals",
    "Problem",
    "Request",
    "Rule",
    "RuleBook",
    "RuleError",
    "Scored",
    "Squeezed",
    "Step",
    "read_rule",
    "shell_rules_reachable",
    "tokens_in",
]
