"""Ollama on this computer. It answers for any model the person has pulled, so there is no default."""

from heedful.inference.preset import Preset

PRESET = Preset(
    id="ollama",
    label="Ollama",
    base_url="http://127.0.0.1:11434/v1",
    needs_key=False,
    local=True,
    ports=(11434,),
    threads_per_call=1,
)
