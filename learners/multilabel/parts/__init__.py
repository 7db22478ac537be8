"""What multilabel learners are made of: operations on vectors and matrices, and the regressor of the labels."""
