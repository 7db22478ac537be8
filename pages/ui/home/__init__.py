"""The home page, with the pictures on its cards."""
