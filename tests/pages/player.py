"""Stand-ins for the player's files, with which the page around them can be tried alone."""

ALONE = """
const { stories } = flRecording, { colors } = document.getElementById('fl-recording').dataset;
const payload = flInScheme(flRecording.payload, JSON.parse(colors));
const chart = payload.charts[0], plot = document.createElement('div');
document.querySelector('.fl-player').append(plot);
const story = document.createElement('div');
story.className = 'fl-story';
for (const { t, title, html } of stories) {
  const part = document.createElement('div'), head = document.createElement('h2');
  part.dataset.t = t;
  part.innerHTML = html;
  head.textContent = title;
  story.append(head, part);
}
document.querySelector('.fl-player').after(story);
globalThis.played = { payload, ends: '</script><!-- no end -->' };
Plotly.newPlot(plot, chart.data, chart.layout).then(() => { globalThis.played.drawn = true; });
"""

# what a payload holds that the page around the player reads, and a chart with every kind of trace
PAYLOAD = {
    "run": "abc", "script": "plotly/plotly.js", "page": "stability", "title": "Stability lab", "unit": "step",
    "steps": 1000, "reached": 1000, "complete": True, "replicates": 20, "text": "#1B1F24", "grid": "#E3E7EC",
    "learners": [{"label": "A <b>", "color": "#0072B2", "dash": ""}, {"label": "B", "color": "#D55E00", "dash": "8 4"}],
    "legend": [{"label": "A <b>", "color": "#0072B2", "dash": "", "width": 3}],
    "charts": [
        {
            "id": "regret", "title": "</script><script>alert(1)</script>", "kind": "curves",
            "data": [
                {"type": "scatter", "x": [1, 2], "y": [3, None], "line": {"color": "#0072B2"},
                 "fillcolor": "rgba(0,114,178,0.2)"},
                {"type": "bar", "x": [1, 2], "y": [3, 4]},
                {"type": "heatmap", "z": [[1, 2], [3, 4]], "xaxis": "x2", "yaxis": "y2"},
            ],
            "layout": {
                "height": 300, "font": {"color": "#1B1F24"}, "xaxis": {"gridcolor": "#E3E7EC", "domain": [0, 0.4]},
                "xaxis2": {"domain": [0.6, 1], "anchor": "y2"}, "yaxis2": {"anchor": "x2"},
            },
        },
        {"id": "classes", "title": "Classes", "kind": "figure", "frames": {"first": 0, "at": [0], "frames": [[[[], {
            "data": [{"marker": {"color": "#0072B2"}}],
            "layout": {"font": {"color": "#1B1F24"}, "meta": {"colors": "classes"},
                       "annotations": [{"text": "A", "font": {"color": "#0072B2"}}]},
        }]]]}},
        {"id": "places", "title": "Places", "kind": "figure", "frames": {"first": 0, "at": [0], "frames": [[[[], {
            "data": [{"line": {"color": "#0072B2"}}], "layout": {"font": {"color": "#1B1F24"}},
        }]]]}},
    ],
    "ghosts": [], "futures": [],
}  # fmt: skip
STORIES = [
    {
        "t": 40, "slot": 1, "replicate": 0, "title": "Lost: B & <C>",
        "html": '<p class="fl-note">The user clicked d7.</p>',
    },
    {
        "t": 7, "slot": 0, "replicate": 0, "title": "Earlier",
        "html": '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    },
    {"t": 40, "slot": 0, "replicate": 0, "title": "Lost: A", "html": "<p>At the same step</p>"},
]  # fmt: skip


def stand_in(folder):
    """Write a player of few lines into a folder, beside the real choice of colours."""
    from pages.ui.play import assets

    folder.mkdir(exist_ok=True)
    for name in assets.SHEETS:
        (folder / f"{name}.css").write_text(f".fl-{name} {{ order: 1 }}\n", encoding="utf-8")
    (folder / "scheme.js").write_bytes((assets.FOLDER / "scheme.js").read_bytes())
    (folder / "alone.js").write_text(f"import {{ flInScheme }} from './scheme.js';\n{ALONE}", encoding="utf-8")
    return folder
