import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.reading import html_to_text, zones
from tests.linear_time import assert_linear

MARKUP = st.lists(
    st.sampled_from(
        [
            "<p>",
            "</p>",
            "<div style='display:none'>",
            "</div>",
            "<table>",
            "<tr>",
            "<td>",
            "text",
            " ",
            "\n",
            "<ul>",
            "<li>",
            "</ul>",
            "<a href='https://x.example/'>",
            "</a>",
            "<blockquote>",
            "</blockquote>",
            "<br>",
            "<pre>",
            "</pre>",
            "&nbsp;",
            "&#x1F389;",
            "<!--",
            "-->",
            "<img alt='x'>",
            "<hr>",
            "\x00",
            "<script>",
            "</script>",
            "<",
            "\ud800",
            "</table>",
            "<ol>",
        ]
    ),
    max_size=60,
)


@given(st.one_of(st.text(st.characters(codec=None), max_size=300), MARKUP.map("".join)))
@settings(max_examples=250, deadline=None)
def test_no_markup_raises_and_no_line_ends_in_space(html: str) -> None:
    assert all(line == line.rstrip() for line in html_to_text(html).split("\n"))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Hi <b>Ana</b>,</p><p>can\n you come?</p>", "Hi Ana,\n\ncan you come?"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        (
            "see <a href='https://x.example/plan?v=2'>the plan</a>.",
            "see the plan (https://x.example/plan?v=2).",
        ),
        ("see <a href='https://x.example/'>x.example</a>", "see x.example"),
        ("<a href='mailto:ana@reis.example'>ana@reis.example</a>", "ana@reis.example"),
        ("<a href='mailto:ana@reis.example'>Ana</a>", "Ana (ana@reis.example)"),
        ("<a href='#top'>Top</a>", "Top"),
        ("<ul><li>one</li><li>two<ul><li>in</li></ul></li></ul>", "- one\n- two\n  - in"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        (
            "<table><tr><td>Total</td><td>€ 84.20</td></tr><tr><td>Due</td><td><p>Friday</p></td></tr></table>",
            "Total | € 84.20\nDue | Friday",
        ),
        ("yes<blockquote>no?<blockquote>well</blockquote></blockquote>", "yes\n\n> no?\n>\n> > well"),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ("<pre><code>a = 1\n\n  b</code></pre>after<br>it", "a = 1\n\n  b\n\nafter\nit"),
        ("<pre><b>def</b> <i>f</i>():\n    <b>return</b>  1\n</pre>", "def f():\n    return  1"),
        ("<a href='https://x.example/ok'><img src=b.png alt='Accept'></a>", "Accept (https://x.example/ok)"),
    ],
)
def test_markup_reads_as_a_person_would_see_it(html: str, text: str) -> None:
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    "unseen",
    [
        "<style>p{color:red}</style>",
        "<script>alert('x')</script>",
        "<div style='display: none; max-height:0'>preheader</div>",
        "<span style='font-size:0px'>preheader</span>",
        "<div style='mso-hide:all'>preheader</div>",
        "<img src='https://t.example/p.gif' width='1' height='1' alt='pixel'>",
        "<img src='logo.png' alt='Our logo'>",
        "<!-- comment -->",
        "&zwnj;&nbsp;&#847;",
    ],
)
def test_what_a_mail_program_hides_is_left_out(unseen: str) -> None:
    assert (
        html_to_text(f"<html><head><title>t</title></head><body>{unseen}<p>Hello.</p></body></html>")
        == "Hello."
    )


def test_an_address_with_long_tracking_is_cut_to_what_is_readable() -> None:
    text = html_to_text(f"<a href='https://x.example/offer?{'u=' * 200}'>Offer</a>")
    assert text == "Offer (https://x.example/offer)"


def test_quotes_of_html_mail_are_seen_by_zones() -> None:
    html = (
        "<div>Yes.</div><div class='quote'>On Mon, 3 Dec 2026 at 10:00, Ana &lt;ana@reis.example&gt; wrote:<br>"
        "<blockquote>Shall we?</blockquote></div><div>See you.</div>"
    )
    text = html_to_text(html)
    assert [zone.kind.value for zone in zones(text)] == ["new", "quoted", "new"]


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<ul><li>x",
        "<blockquote>x",
        "<table>",
        "<b>",
        "<a href=x>",
        "<",
        "<!--",
        "&amp",
        "<script",
        "<li>",
        "<select><option>",
        "<p>",
        "<td>",
        "</b>",
    ],
)
def test_hostile_nesting_takes_linear_time(piece: str) -> None:
    assert_linear(html_to_text, piece, length=100_000)
