"""What other rooms ask of the maps, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.embeddings.tsne._engine import usual_perplexity

__all__ = ["usual_perplexity"]
