"""Movies and who liked them: synthetic, and MovieLens files."""
