"""A lesson as a SCORM 1.2 package, a zip file that a learning management system imports.

The schemas of IMS and ADL, which its manifest names, have to lie beside it, as they were published (`schemas/`).
"""

import html
import io
import zipfile
from pathlib import Path

from datasets import disk
from pages.ui.lessons.lesson import Lesson
from pages.ui.static import lessons
from pages.ui.static.page import write_parts
from pages.ui.static.store import Store

MANIFEST = "imsmanifest.xml"
SCHEMAS = Path(__file__).parent / "schemas"
DAY = (1980, 1, 1, 0, 0, 0)  # of every file, so that the same lesson gives the same package
_XML = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="feedback-lab-{id}" version="1.0"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd
    http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="org">
    <organization identifier="org">
      <title>{title}</title>
      <item identifier="item" identifierref="lesson" isvisible="true">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="lesson" type="webcontent" adlcp:scormtype="sco" href="index.html">
{files}
    </resource>
  </resources>
</manifest>
"""


def package(folder: Path, lesson: Lesson, server: str = "") -> bytes:
    """Return the package of a lesson whose recordings are in a folder, in files of kinds that every system serves."""
    found = lessons.made(folder, lesson)
    assert found is not None
    text = lessons.page_of(lesson, found, server, course=True)
    parts = Store(folder)
    write_parts(parts, found["pictures"])
    names = [*sorted(parts.written), *lessons.files(found["document"])]
    files = "\n".join(f'      <file href="{html.escape(name)}"/>' for name in ("index.html", *names))
    manifest = _XML.format(id=lessons.name(lesson), title=html.escape(lesson.title), files=files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        made = {MANIFEST: manifest.encode(), "index.html": text.encode()}
        made |= {path.name: path.read_bytes() for path in sorted(SCHEMAS.iterdir())}
        for name, data in (made | {name: (folder / name).read_bytes() for name in names}).items():
            zipped.writestr(zipfile.ZipInfo(name, DAY), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def write(path: Path, folder: Path, lesson: Lesson, server: str = "") -> int:
    """Write the package of a lesson, and return its size in bytes."""
    data = package(folder, lesson, server)
    disk.write(path, data)
    return len(data)
