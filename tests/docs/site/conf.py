"""How Sphinx makes the site: from Markdown, with a search that needs no server, and nothing from elsewhere."""

project = "Kilter"
author = copyright = "The Kilter authors"  # noqa: A001 - Sphinx reads this name
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["**/node_modules"]
myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline", "attrs_block"]
# Console blocks show what people type, not a language that could be wrong.
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = "Kilter"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["kilter.css"]
html_js_files = ["site.js"]
