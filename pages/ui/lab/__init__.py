"""The live runner: what every lab is made of."""
