"""The colours of both themes can be told from what is behind them (WCAG 2, 1.4.3 and 1.4.11)."""

import tomllib

import pytest

from pages.ui.draw.charts import Look
from tests.conftest import ROOT

THEMES = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]


def luminance(color: str) -> float:
    shares = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_defined():
    assert contrast("#000000", "#FFFFFF") == 21 and contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_charts_and_texts_stand_out(name):
    theme, look = THEMES[name], Look.of(name)
    page, side = theme["backgroundColor"], theme["secondaryBackgroundColor"]
    assert look.text == theme["textColor"] and min(contrast(look.text, b) for b in (page, side)) >= 7
    assert min(contrast(color, page) for color in look.colors) >= 3  # lines
    assert contrast(theme["primaryColor"], page) >= 4.5  # links
    assert contrast(theme.get("codeTextColor", theme["greenColor"]), side) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_learners_have_the_colours_of_the_theme(name):
    """The pictures on the home page take them from the theme, charts from the look."""
    found = tuple(THEMES[name][f"{color}Color"] for color in ("blue", "orange", "green", "violet"))
    assert found == Look.of(name).colors
