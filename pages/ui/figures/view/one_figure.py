"""One figure, large enough to be projected: its charts, what is said of it, where it runs, and files."""

import html
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from datasets.parameters import Parameter
from pages.ui import exports
from pages.ui.draw import pgfplots, still_charts
from pages.ui.draw.charts import Look
from pages.ui.draw.legend import Entry
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look, title
from pages.ui.figures import catalogue, draw, links, live, own_data_box, paper_size
from pages.ui.figures.causes.ablation import joined
from pages.ui.figures.figure import SHEETS, Figure
from pages.ui.figures.result import Drawn
from pages.ui.figures.view import cards, component, difference, files, words
from pages.ui.figures.view.cards import FoundCard
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.plain import Html, Markdown
from pages.ui.share import dialog, presentation

ID, PAGE = "figures", "pages/figures.py"
FIGURE = Parameter("figure", "text", "", help="The id of the figure that is shown alone.")
SIZES = {"page": "Size of the page", "paper": "Paper’s size"}
SIZE = choice_of(
    "size", "page", list(SIZES), "Whether what is drawn was run at the size of the page or at the paper’s."
)
REAL = "Real data in place of stand-ins"
NORMAL, LARGE = (draw.HEIGHT, 420), (400, 560)  # pixels of a chart beside others, and of one alone


def run(settings: Settings, figure: Figure) -> None:
    """Draw the page of a figure."""
    found = cards.find(figure)
    place = title(figure.title)
    st.html(f"<style>{component.PRINT}</style>")
    presentation.frame(settings, place)
    settings.show_problems()
    _head(settings, found)
    shown = _sized(settings, found)
    st.fragment(_figure, run_every=live.tick(figure.id))(shown, settings.present)
    with st.container(key="only-screen-own"):
        own_data_box.draw(figure, found.result, settings)
    settings.write()
    component.sheet(cards.notes(found) + cards.statements(found), f"{ID}:said", large=settings.present)
    if shown.result is not None and not settings.present:
        difference.section(figure, shown.result)
    _take_away(shown)
    dialog.offer(settings, place, f"{figure.title}, [{figure.paper}] {figure.where}")


def _sized(settings: Settings, found: FoundCard) -> FoundCard:
    """Draw the choice between the page's size and the paper's, if that was run; return the figure with what is chosen.

    The statements are judged on the larger run whatever is drawn.
    """
    if found.result is None or found.larger is None or not found.larger.panels:
        return found
    with st.container(key="only-screen-size", width=260):
        size = settings.widget(SIZE, label="Size", titles=SIZES.__getitem__)
    if size == "page":
        return found
    return replace(found, result=replace(joined(found.result, found.larger), scale=paper_size.SCALE))


def _head(settings: Settings, found: FoundCard) -> None:
    """Draw where the figure stands, its verdict, the way to its neighbours, and its caption."""
    figure, every = found.figure, list(catalogue.figures().values())
    place = every.index(figure)
    before, after = every[place - 1] if place else None, every[place + 1] if place + 1 < len(every) else None
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        component.sheet(where(found), f"{ID}:head", large=settings.present)
        with st.container(horizontal=True, width="content", key="only-screen-way"):
            for other, icon in ((before, "chevron_left"), (after, "chevron_right")):
                if other is not None:
                    _link(settings, f"[{other.paper}] {other.where}", f":material/{icon}:", {FIGURE.name: other.id})
            _link(settings, "All figures", ":material/grid_view:", {})
    st.html(f'<p style="max-width: 75ch; margin: 0">{words.told(figure.caption)}</p>')


def where(found: FoundCard) -> Html:
    """Return the work, the place in it, and the verdict, as HTML."""
    authors, work = SHEETS[found.figure.paper].split(". ")[:2]
    said = f"{html.escape(authors)}. {html.escape(work)}, <b>{html.escape(found.figure.where)}</b>"
    return f"<p>{said} {cards.verdict(found.verdict)}</p>"


def _link(settings: Settings, label: Markdown, icon: str, query: Mapping[str, str]) -> None:
    st.page_link(PAGE, label=label, icon=icon, query_params={**query, **settings.sticky_query})


def _figure(found: FoundCard, large: bool) -> None:
    """Draw charts or tables, over them what is run while the person looks, and the button that runs it."""
    figure, drawn, now = found.figure, found.result.panels if found.result else {}, live.found(found.figure.id)
    over = now.panels if now else {}
    pictures = f'<div class="fl-panels">{cards.panels(figure, drawn)}</div>'
    if figure.table:
        if over:
            pictures += f'<p><b>Run now</b></p><div class="fl-panels">{cards.panels(figure, over)}</div>'
        component.sheet(pictures, f"{ID}:table", large=large)
    else:
        colors = look()
        with st.container(key="only-screen-charts"):
            still_charts.show(
                charts(figure, drawn, over, colors, large), legend(figure, colors), f"{ID}:{figure.id}", colors.text
            )
        component.sheet(f'<div class="fl-print">{pictures}{cards.legend(figure)}</div>', f"unseen-{ID}-on-paper")
        _real(found, colors, large)
    with st.container(key="only-screen-live"):
        live.controls(figure)
    live.settle(figure.id)


def _real(found: FoundCard, colors: Look, large: bool) -> None:
    """Draw the panels on real data beside the stand-ins, if there are any."""
    if found.real is None:
        return
    figure, drawn = found.real.figure, found.real.drawn
    component.sheet(f'<h3 class="fl-real">{REAL}</h3>', f"{ID}:real", large=large)
    with st.container(key="only-screen-real"):
        key = f"{ID}:{figure.id}:real"
        still_charts.show(charts(figure, drawn, {}, colors, large), legend(figure, colors), key, colors.text)
    component.sheet(cards.real_notes(found.real), f"{ID}:real-notes", large=large)


def charts(
    figure: Figure, stored: Mapping[str, Mapping[str, Drawn]], over: Mapping[str, Mapping[str, Drawn]] = {},
    look: Look = draw.LIGHT, large: bool = False,
) -> list[Chart]:  # fmt: skip
    """Return the charts of a figure, a chart for each panel. large : to be read from the last row."""
    found, single = [], len(figure.panels) == 1
    for each in figure.panels:
        made = draw.panel(
            figure, each, stored.get(each.id, {}), over.get(each.id, {}), look=look,
            height=(LARGE if large else NORMAL)[single], size=16 if large else 12,
        )  # fmt: skip
        y = words.y_title(each)
        heading = each.title if y.lower() in each.title.lower() else f"{each.title} · {y}" if each.title else y
        said = f"{y}, as in {figure.where}. Bands and bars are ± one standard error over the data seeds."
        if any(series.printed for series in each.series):
            said += " Open diamonds are numbers that the paper prints."
        found.append(Chart(each.id, heading, said, made, figure.id, single))
    return found


def legend(figure: Figure, look: Look) -> list[Entry]:
    """Return the legend of a figure in the paper's order."""
    return [Entry(name, style.color(look), style.dash) for name, style in draw.styles(figure).items()]


def _take_away(found: FoundCard) -> None:
    """Draw the links to a live run, the files, and the command, once they are asked for."""
    figure = found.figure
    place = exports.box("Run it live, export it", f"{ID}:away:{figure.id}")
    if place is None:
        return
    with place:
        _live(figure)
        if found.result is not None:
            _files(found)
        st.caption("The command that makes it again")
        st.code(f"python -m pages.figures {figure.id}", language="bash")


def _live(figure: Figure) -> None:
    """Draw the links of all panels to labs and sweeps, each with its script."""
    for panel in figure.panels:
        offered = links.of(panel)
        if not offered:
            continue
        st.markdown(f"**{words.markdown(panel.title)}**")
        for number, link in enumerate(offered):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.page_link(
                    link.page, label=words.markdown(link.words), icon=":material/play_circle:", query_params=link.query
                )
                st.download_button(
                    "Python script", link.script, f"{figure.id}-{panel.id}-{number + 1}.py", "text/x-python",
                    icon=":material/code:", on_click="ignore", key=f"{ID}:script:{figure.id}:{panel.id}:{number}",
                    type="tertiary",
                )  # fmt: skip
    if any(links.of(panel) for panel in figure.panels):
        st.caption("Each opens the same setup with the first data seed.")


def _files(found: FoundCard) -> None:
    """Draw the buttons of the files."""
    figure, result = found.figure, found.result
    assert result is not None
    columns = st.columns(3)
    with columns[0]:
        exports.button("Numbers as CSV", lambda: files.to_csv(figure, result), f"{figure.id}.csv", "text/csv", "table")
    with columns[1]:
        exports.button(
            "Page as HTML", lambda: files.to_html(figure, result), f"{figure.id}.html", "text/html", "public"
        )
    with columns[2]:
        component.pictures(files.to_svg(figure, result), figure.id)
    with columns[0]:
        label = "Tables as LaTeX" if figure.table else "Charts as LaTeX (pgfplots)"
        exports.button(label, lambda: files.to_latex(figure, result), f"{figure.id}.tex", "text/x-tex", "functions")
    if pgfplots.makes_pdf():
        with columns[1]:
            exports.button(
                "Charts as PDF", lambda: files.to_pdf(figure, result), f"{figure.id}.pdf", "application/pdf",
                "picture_as_pdf",
            )  # fmt: skip
