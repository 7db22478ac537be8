"""What ranking learners are made of: candidates as they are stored, feedback rankings, interleaving, projections."""
