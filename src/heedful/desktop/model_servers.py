"""The model servers as the Settings tab reaches them."""

from heedful.core.ids import NewId, RunId
from heedful.core.settings import ProviderSettings
from heedful.inference import Inference, LocalServer, Trial, find_local_servers


class ModelServers:
    """Finds servers on this computer, and tries one out."""

    def __init__(self, inference: Inference, new_id: NewId) -> None:
        self._inference = inference
        self._new_id = new_id

    async def find(self) -> tuple[LocalServer, ...]:
        """Every model server that answers on a usual port of this computer."""
        return await find_local_servers()

    async def try_out(self, chosen: ProviderSettings) -> Trial:
        """What became of a tiny made-up request under these settings, saved or not."""
        return await self._inference.try_out(chosen, run_id=RunId(self._new_id()))
