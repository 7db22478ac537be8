"""[S], stable coactive learning by perturbation: figures, theorems and claims."""
