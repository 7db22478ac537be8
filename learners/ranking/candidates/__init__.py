"""The candidate documents of a query as they are stored, and their arithmetic."""
