"""The figures and tables of the papers, redrawn from results that a command makes.

papers/ declares them: figure.py has the words for it, and statement.py those for what a paper prints and its rules.
command.py computes them: plan.py cuts a figure into runs, computed/ has the curves that no simulation gives,
unfinished.py keeps runs until result.py writes a file to results/, digest.py and verify.py tell whether it is old, and
paper_size.py has the results at the paper's size. causes/ tries why statements differ; judged.py decides what agrees.
page.py, view/ and draw.py show it all, live.py runs a figure while a person waits, own_data.py on the person's file.
"""
