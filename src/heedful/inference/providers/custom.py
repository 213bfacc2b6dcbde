"""Any other server that speaks the OpenAI protocol; vLLM is the one most often found on its own port."""

from heedful.inference.preset import Preset

PRESET = Preset(
    id="custom",
    label="Another server",
    base_url="",
    needs_key=False,
    ports=(8000,),
    threads_per_call=1,
)
