from heedful.inference import LocalServer, find_local_servers
from heedful.inference.local_servers import usual_ports
from tests.fakes.model_server import ModelServer, Received, Reply, web_page


async def test_servers_on_their_usual_ports_are_found_with_their_models() -> None:
    async with ModelServer(models=("qwen3:8b", "llama3")) as ollama, ModelServer() as gone:
        silent = gone.port
        await gone.__aexit__(None, None, None)
        found = await find_local_servers({ollama.port: "ollama", silent: "lmstudio"})
    assert found == (
        LocalServer("ollama", "Ollama", f"http://127.0.0.1:{ollama.port}/v1", ("qwen3:8b", "llama3")),
    )


async def test_looking_asks_for_nothing_but_the_list_of_models() -> None:
    async with ModelServer() as server:
        await find_local_servers({server.port: "llamacpp"})
        assert [(request.method, request.path) for request in server.requests] == [("GET", "/v1/models")]
        assert "authorization" not in server.requests[0].headers


async def test_another_program_on_such_a_port_is_no_model_server() -> None:
    class Portal(ModelServer):
        def _reply_to(self, received: Received) -> Reply:
            return web_page()

    async with Portal() as portal:
        assert await find_local_servers({portal.port: "custom"}) == ()


async def test_a_server_that_does_not_answer_is_not_waited_for() -> None:
    class Silent(ModelServer):
        def _reply_to(self, received: Received) -> Reply:
            return Reply(hangs=True)

    async with Silent() as silent:
        assert await find_local_servers({silent.port: "custom"}, within_s=0.05) == ()


def test_the_usual_ports_are_those_of_the_presets() -> None:
    assert usual_ports() == {11434: "ollama", 1234: "lmstudio", 8080: "llamacpp", 8000: "custom"}
