"""Shows figures: small pictures of all of them, one large, tables, statements, and files to take away."""
