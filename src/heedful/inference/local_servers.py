"""Looks for model servers that already run on this computer, to offer them; none is used unasked."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from heedful.core.errors import HeedfulError
from heedful.inference.models import read_models
from heedful.inference.preset import FREE, Preset, Provider, presets
from heedful.inference.transport import HttpTransport, Transport
from heedful.inference.urls import endpoint

ANSWER_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered: which preset fits it, where, and what it serves."""

    preset_id: str
    label: str
    base_url: str
    models: tuple[str, ...]


def usual_ports() -> dict[int, str]:
    """Where each preset's servers listen by themselves: port to preset id."""
    return {port: preset.id for preset in presets().values() for port in preset.ports}


async def find_local_servers(
    ports: Mapping[int, str] | None = None,
    *,
    transport: Transport | None = None,
    within_s: float = ANSWER_WITHIN_S,
) -> tuple[LocalServer, ...]:
    """Every server that lists its models on a usual loopback port, by port; nothing but that list is asked for."""
    asked = sorted((usual_ports() if ports is None else ports).items())
    found = await asyncio.gather(
        *(
            _ask(port, presets()[preset_id], transport or HttpTransport(), within_s)
            for port, preset_id in asked
        )
    )
    return tuple(server for server in found if server is not None)


async def _ask(port: int, preset: Preset, transport: Transport, within_s: float) -> LocalServer | None:
    where = endpoint(f"http://127.0.0.1:{port}")
    provider = Provider(
        preset.id, preset.label, where, model="", needs_key=False, threads_per_call=1, price=FREE
    )
    try:
        reply = await transport.send(provider, where.models_url, key=None, body=None, within_s=within_s)
        if reply.status == 401:  # it is a model server, and wants a key before it says more
            return LocalServer(preset.id, preset.label, where.base_url, ())
        models = read_models(reply, provider) if reply.status == 200 else ()
    except HeedfulError:
        return None
    return LocalServer(preset.id, preset.label, where.base_url, models) if models else None
