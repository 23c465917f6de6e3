"""Build the view into the package, if Node is installed.

Labelscape can be installed without Node, because a source archive contains the built
view. Without the view, only `explore` and HTML pages fail, with an error message.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = ("view.js", "page.js", "app.js", "LICENSES.txt")
CONFIGURED_IN = ("package.json", "package-lock.json", "vite.config.ts", "licenses.ts")
PALETTE = "src/labelscape/plotting/palette.json"  # the view contains a copy
SBOM = "sbom/labelscape.cdx.json"  # from `make dist`; source archives contain it
WITHOUT = "Without the view, explore and HTML pages will not work."


class ViewBuildHook(BuildHookInterface):
    """Build the view, if it is older than its sources, before a package is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the view, or show a warning with the reason."""
        root = Path(self.root)
        if self.target_name == "wheel" and (root / SBOM).exists():
            build_data["sbom_files"] = [SBOM]
        if version == "editable" or is_current(root):
            return  # in a checkout, `make view` builds the view
        npm = shutil.which("npm")
        if npm is None:
            self.app.display_warning(
                f"The view was not built, because npm is not on the PATH. {WITHOUT}"
            )
            return
        for command in (["ci"], ["run", "build"]):
            done = subprocess.run([npm, *command], cwd=root / "view", check=False)
            if done.returncode:
                words = " ".join(command)
                self.app.display_warning(
                    f"The view was not built, because 'npm {words}' failed. {WITHOUT}"
                )
                return


def is_current(root: Path) -> bool:
    """Return whether the built view is newer than all its sources."""
    built = [root / "src/labelscape/hosts/static" / name for name in BUILT]
    if not all(file.exists() for file in built):
        return False
    view = root / "view"
    configured = map(view.joinpath, CONFIGURED_IN)
    sources = [*(view / "src").rglob("*"), *configured, root / PALETTE]
    oldest = min(file.stat().st_mtime for file in built)
    return all(file.stat().st_mtime <= oldest for file in sources if file.is_file())
