"""The causes that are tried, paper by paper, each written before its run, though after the page's result was known."""
