"""The lines of scripts that make elements or addresses of a text, each with the reason why it cannot be anybody's."""

from __future__ import annotations

SCRIPTS: dict[tuple[str, str], str] = {
    ("pages/ui/answer/js/marks.js", "image.src = card.image;"): "a picture that the server has drawn",
    (
        "pages/ui/draw/js/library.js",
        "tag.src = new URL(url, flBase()).href;",
    ): "the address of plotly.js, from the server",
    (
        "pages/ui/figures/view/js/pictures.js",
        "picture.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));",
    ): "a picture of the page itself; scripts do not run in pictures",
    ("pages/ui/figures/view/js/sheet.js", "root.innerHTML = root.__html = html;"): "HTML of the sheet of figures",
    (
        "pages/ui/static/js/home.js",
        "const open = href => { location.href = href; };",
    ): "the address of a page of the same edition",
    (
        "pages/ui/home/js/cards.js",
        "picture.innerHTML = demo.picture;  // made by this project",
    ): "a picture of the gallery, kept in the project",
    ("pages/ui/home/js/moving.js", "row.insertAdjacentHTML('beforeend', FL_POINTER);"): "a constant",
    ("pages/ui/lessons/js/asks.js", "made.innerHTML = html ?? '';"): "HTML made by lessons/words.py, which escapes",
    ("pages/ui/lessons/js/card.js", "there.setAttribute('href', link(href));"): "the host's link begins with its own",
    ("pages/ui/lessons/shelf/js/starts.js", "link.href = entry.href;"): "an address of the gallery or of a lesson",
    (
        "pages/ui/lessons/shelf/js/starts.js",
        "text.innerHTML = start.text;",
    ): "HTML made by lessons/words.py, which escapes",
    ("pages/ui/kept/js/row.js", "this.open.href = address(entry);"): "`address` begins with a page of ours",
    ("pages/ui/kept/js/sheet.js", "link.href = URL.createObjectURL(new Blob([words], { type }));"): "a file to save",
    ("pages/ui/play/js/stories.js", "account.innerHTML = html;"): "the inspector's HTML, which escapes",
    ("pages/ui/play/js/pictures.js", "made.innerHTML = state.join('');"): "HTML of a picture, which escapes",
    (
        "pages/ui/recordings/js/frame.js",
        "frame.srcdoc = page.replaceAll('{base}', flBase());",
    ): "a page made by recordings/takeaway.py of a recording that was read strictly, in a frame without an origin",
    ("pages/ui/share/js/open.js", "link.href = there.href;"): "the page's own address, without some of its keys",
    ("pages/ui/share/js/sheet.js", "made.innerHTML = code;"): "the SVG of a QR code",
}
