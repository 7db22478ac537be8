"""The static edition: lessons, demos and figures as files, which play in the browser from any folder or disk."""
