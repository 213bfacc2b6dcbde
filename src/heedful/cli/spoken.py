"""The language of a text as the command line names it."""

import argparse


def spoken(text: str) -> str:
    """A language's code or tag (`pt`, `pt-BR`), for argparse."""
    if not is_known(text):
        raise argparse.ArgumentTypeError(f"{text} is no language that Heedful reads; it reads {_listed()}")
    return text


def is_known(text: str) -> bool:
    """Whether Heedful reads that language."""
    from heedful.reading.languages import available

    return text.strip().lower().replace("_", "-").split("-")[0] in available()


def _listed() -> str:
    """«en (English), de (Deutsch)»."""
    from heedful.reading.languages import available, language

    return ", ".join(f"{code} ({language(code).name})" for code in available())
