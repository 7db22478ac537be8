"""What the classification learners are made of: the arithmetic of linear classifiers, and blocks of compiled steps."""
