"""All that the server computes or downloads for pages: jobs of one queue, with one estimate and one set of limits."""
