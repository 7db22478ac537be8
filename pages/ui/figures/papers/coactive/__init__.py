"""[C], coactive learning: figures, theorems and claims."""
