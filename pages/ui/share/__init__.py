"""Ways to show a page to others: a link with its QR code, a projector, a frame in another page."""
