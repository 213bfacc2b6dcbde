"""LM Studio on this computer."""

from heedful.inference.preset import Preset

PRESET = Preset(
    id="lmstudio",
    label="LM Studio",
    base_url="http://127.0.0.1:1234/v1",
    needs_key=False,
    local=True,
    ports=(1234,),
    threads_per_call=1,
)
