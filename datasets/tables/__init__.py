"""Examples with classes or label sets in files: CSV, LIBSVM, ARFF."""
