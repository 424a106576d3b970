"""The nouns: frozen values that are checked once, carry no algorithms and no words for people."""
