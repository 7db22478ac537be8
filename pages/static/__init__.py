"""The static edition as a command; a folder, since every file beside it is a page of the app."""
