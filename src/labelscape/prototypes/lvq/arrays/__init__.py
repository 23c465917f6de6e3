"""The LVQ family on arrays of other libraries, where they are: on a GPU, say."""
