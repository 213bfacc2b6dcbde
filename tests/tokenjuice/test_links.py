"""Addresses of pages, on their way into what a model reads."""

import tracemalloc

from heedful.tokenjuice.links import clean_url, is_tracker


def test_an_address_of_any_length_loses_what_follows_the_reader_around() -> None:
    for length in (10, 100_000):
        asked = "https://shop.example/find?q=" + "a" * length
        assert clean_url(f"{asked}&utm_source=letter") == asked
        assert is_tracker("https://click.shop.example/" + "a" * (100 + length))


def test_addresses_that_hold_whole_documents_are_not_kept() -> None:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(100):
            address = f"https://click.shop.example/{number}?page=" + "a" * 50_000
            assert is_tracker(address)
            clean_url(address)
        for number in range(200):  # what the library's own parser keeps is crowded out
            clean_url(f"https://shop.example/{number}?page=1")
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1_000_000
