"""[L], what came after the five works: their rivals on the same data, under the click models of today."""
