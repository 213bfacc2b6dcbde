import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.errors import UserCanFixError
from heedful.inference.urls import Reach, endpoint, reach_of


@pytest.mark.parametrize(
    ("pasted", "base_url"),
    [
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://api.openai.com/", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/models", "https://api.openai.com/v1"),
        ("  <https://API.OpenAI.com/v1>\n", "https://api.openai.com/v1"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("https://api.example.com:443/v1?key=abc#top", "https://api.example.com/v1"),
        ("https://backend.example/openai/v1/chat/completions", "https://backend.example/openai/v1"),
        ("https://backend.example/openai", "https://backend.example/openai/v1"),
        ("https://backend.example//openai//v1//", "https://backend.example/openai/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("https://api.perplexity.example/chat/completions", "https://api.perplexity.example"),
        ("https://gemini.example/v1beta/openai/", "https://gemini.example/v1beta/openai"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:11434/api/chat", "http://localhost:11434/v1"),
        ("http://localhost:11434/api", "http://localhost:11434/v1"),
        ("127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("http://0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("192.168.1.20:1234", "http://192.168.1.20:1234/v1"),
    ],
)
def test_an_address_is_understood_as_people_paste_it(pasted: str, base_url: str) -> None:
    assert endpoint(pasted).base_url == base_url


def test_the_chat_and_model_addresses_follow_from_the_base() -> None:
    where = endpoint("https://backend.example/openai/v1/chat/completions")
    assert where.chat_url == "https://backend.example/openai/v1/chat/completions"
    assert where.models_url == "https://backend.example/openai/v1/models"


@pytest.mark.parametrize(
    "pasted",
    ["https://me:pass@api.example.com/v1", "https://token@api.example.com", "me:pass@localhost:8080"],
)
def test_credentials_in_an_address_are_refused_and_not_repeated(pasted: str) -> None:
    with pytest.raises(UserCanFixError) as caught:
        endpoint(pasted)
    assert "pass" not in caught.value.sentence().replace("password", "")
    assert "token" not in caught.value.sentence()


@pytest.mark.parametrize(
    "pasted", ["http://api.example.com/v1", "http://8.8.8.8/v1", "http://127.1.example/v1"]
)
def test_plain_http_across_the_internet_is_refused(pasted: str) -> None:
    with pytest.raises(UserCanFixError, match="not encrypted"):
        endpoint(pasted)


def test_plain_http_in_the_local_network_is_taken_with_a_caution() -> None:
    where = endpoint("http://nas.local:11434")
    assert where.reach is Reach.LAN
    assert "not encrypted" in where.caution
    assert endpoint("http://127.0.0.1:11434").caution == ""
    assert endpoint("https://192.168.1.20/v1").caution == ""


@pytest.mark.parametrize(
    "pasted",
    [
        "",
        "   ",
        "ftp://api.example.com",
        "https://",
        "https://host:99999",
        "https://a b.example",
        "http://[::1",
    ],
)
def test_what_is_no_address_is_refused_with_an_example(pasted: str) -> None:
    with pytest.raises(UserCanFixError, match="not an address"):
        endpoint(pasted)


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        ("localhost", Reach.LOOPBACK),
        ("models.localhost", Reach.LOOPBACK),
        ("127.9.9.9", Reach.LOOPBACK),
        ("::1", Reach.LOOPBACK),
        ("10.0.0.2", Reach.LAN),
        ("fe80::1", Reach.LAN),
        ("nas", Reach.LAN),
        ("localhost.example", Reach.INTERNET),
        ("127.0.0.1.example", Reach.INTERNET),
        ("2130706433", Reach.INTERNET),
    ],
)
def test_how_far_text_travels_is_judged_by_the_host_alone(host: str, reach: Reach) -> None:
    assert reach_of(host) is reach


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_an_endpoint_that_reads_the_same_again_or_a_sentence(pasted: str) -> None:
    try:
        where = endpoint(pasted)
    except UserCanFixError:
        return
    assert endpoint(where.base_url).base_url == where.base_url
    assert "@" not in where.base_url.split("/")[2]
