"""News texts on topics."""
