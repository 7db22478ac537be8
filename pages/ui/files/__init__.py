"""Choose, upload and download files."""
