"""llama.cpp's own server: it serves the one model it was started with and ignores the name asked for."""

from heedful.inference.preset import Preset

PRESET = Preset(
    id="llamacpp",
    label="llama.cpp",
    base_url="http://127.0.0.1:8080/v1",
    default_model="default",
    needs_key=False,
    local=True,
    ports=(8080,),
    threads_per_call=1,
)
