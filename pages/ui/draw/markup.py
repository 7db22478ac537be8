"""HTML pieces of the step inspectors."""

import html
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from learners.base import Array
from pages.ui.draw import images
from pages.ui.glossary import marked
from pages.ui.plain import NOTHING, Html, Ours, for_html

CSS = (Path(__file__).parent / "js" / "markup.css").read_text("utf-8")
STYLE = f"<style>{CSS}</style>"  # goes once with all that is made here


def reason(text: Html) -> Html:
    """Return what happened in a step, in words that are explained, above all else."""
    return f'<p class="fl-why">{marked(text)}</p>'


@cache
def formulas(text: str) -> Html:
    """Return plain text with LaTeX between dollar signs as HTML with MathML, which browsers draw by themselves.

    Raises
    ------
    ValueError : for a dollar sign without a partner.

    >>> formulas("$x$ & more").split("<mrow>")[1]
    '<mi>x</mi></mrow></math> &amp; more'
    """
    from latex2mathml.converter import convert  # takes half a second, and only files to take away need it

    pieces = text.split("$")
    if len(pieces) % 2 == 0:
        raise ValueError(f"each $ needs a partner, got {text}")
    return "".join(convert(piece) if i % 2 else html.escape(piece) for i, piece in enumerate(pieces))


def formula_line(number: int, words: str, text: str) -> Html:
    """Return a line of an algorithm with its number, in plain words and as the paper states it."""
    said = f'<p class="fl-line"><small>line {number}</small>{html.escape(words)}</p>'
    return f'{said}<p class="fl-formula">{formulas(text)}</p>'


def note(text: Html) -> Html:
    """Return a remark below a line of the algorithm."""
    return f'<p class="fl-note">{text}</p>'


def summary(title: Html, parts: Iterable[Html], more: Html = NOTHING) -> Html:
    """Return what a step has brought, as a bold title and parts divided by dots."""
    return note(f"<b>{title}:</b> {' · '.join(parts)}{more}")


def bars(rows: Sequence[tuple[str, float, str, bool]], color: Ours) -> Html:
    """Draw horizontal bars, of which the longest fills the width; negative values have none.

    rows : label, value, the words beside the bar, and whether the label is bold.
    """
    top = max((abs(value) for _, value, _, _ in rows), default=0.0) or 1.0
    cells = []
    for label, value, words, strong in rows:
        name = f"<b>{for_html(label)}</b>" if strong else for_html(label)
        share = 100 * max(value, 0.0) / top
        cells.append(
            f'<span>{name}</span><span><i style="--share:{share:.1f}%;--color:{color}"></i></span>'
            f"<span>{for_html(words)}</span>"
        )
    return f'<div class="fl-bars">{"".join(cells)}</div>'


def strip(cards: Sequence[Html], left_out: int = 0) -> Html:
    """Return cards side by side, and the number of those left out."""
    more = f'<div class="fl-doc">+{left_out}<small>more</small></div>' if left_out > 0 else ""
    return f'<div class="fl-strip">{"".join(cards)}{more}</div>'


def card(
    face: Html, above: str = "", below: str = "", *, green: float = 0, outlined: bool = False, line: Ours = NOTHING,
    title: str = "",
) -> Html:  # fmt: skip
    """Return a card with a document, an example or a label on it.

    face : HTML of what it shows, with small text above and below. green : from 0 to 1, how green it is.
    line : colour of a line along the bottom. title : shown on hover.
    """
    css = "fl-doc" + " shaded" * (green > 0) + " outlined" * outlined
    style = f"--share:{round(55 * green)}%;max-width:10rem" + (f";border-bottom:4px solid {line}" if line else "")
    small = [f"<small>{for_html(text)}</small>" if text else "" for text in (above, below)]
    return f'<div class="{css}" style="{style}" title="{for_html(title)}">{small[0]}{face}{small[1]}</div>'


def image(pixels: Array, shape: tuple[int, ...], alt: str = "") -> Html:
    """Return an example that is an image of (h, w) pixels."""
    return f'<img alt="{for_html(alt)}" src="{images.ink(pixels.reshape(shape))}">'


def weight_map(weights: Array, shape: tuple[int, ...], caption: str, alt: str = "") -> Html:
    """Return weights (h * w,) as a picture above its caption, red for positive and blue for negative."""
    text = for_html(caption)
    picture = f'<img alt="{for_html(alt) or text}" src="{images.signed(weights.reshape(shape))}">'
    return f"<figure>{picture}{text}</figure>"


def figures(found: Iterable[Html]) -> Html:
    """Return figures side by side."""
    return f'<div class="fl-maps">{"".join(found)}</div>'


def weight_sheet(rows: Array, shape: tuple[int, ...], names: Sequence[str], title: str) -> Html:
    """Return the weights (classes, h * w) as pictures side by side, with the names of the classes below them."""
    known = [for_html(name) for name in names]
    picture = images.sheet(rows.reshape(-1, *shape))
    return (
        f'<figure style="--maps:{len(known)}"><figcaption>{for_html(title)}</figcaption>'
        f'<img alt="weights of the classes {", ".join(known)}" src="{picture}">'
        f'<div aria-hidden="true">{"".join(f"<span>{name}</span>" for name in known)}</div></figure>'
    )


def sheets(found: Iterable[Html]) -> Html:
    """Return sheets of weights, as many in a row as there is room for."""
    return f'<div class="fl-sheets">{"".join(found)}</div>'
