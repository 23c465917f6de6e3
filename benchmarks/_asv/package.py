"""What every user waits for: the import, in a new interpreter."""


class Import:
    """The package, and one estimator."""

    def timeraw_package(self):
        return "import labelscape"

    def timeraw_estimator(self):
        return "from labelscape.prototypes import LiRaMLVQ"
