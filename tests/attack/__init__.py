"""Attacks on the product: seeded generators of extreme parameters, hostile links, files, calls and markup."""
