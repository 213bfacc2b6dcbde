"""Real widgets without a screen, on fake services; nothing here needs a tray, a bus or a keyring."""

import asyncio
import os
from collections.abc import AsyncIterator

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtWidgets import QApplication

from tests.desktop.stage import Stage, open_stage
from tests.fakes.threads import AtOnce


@pytest.fixture
async def stage(qapp: QApplication) -> AsyncIterator[Stage]:
    asyncio.get_running_loop().set_default_executor(AtOnce())
    opened = open_stage(qapp)
    yield opened
    await opened.close()
