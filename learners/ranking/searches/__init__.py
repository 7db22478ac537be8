"""The searches of a block of steps: queries, documents, users, and what a page watches of them."""
