"""Paper 002: Bunte, Hammer, Villmann, Biehl and Wismüller (2010), NE-XOM."""
