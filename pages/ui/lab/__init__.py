"""The live runner on which every lab is built."""
