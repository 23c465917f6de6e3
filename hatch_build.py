"""Builds the view into the package, where Node is there to build it.

Python alone is enough to install Labelscape: a source archive brings the built view
along, and without it only `explore` and pages are missing, which then say so.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = ("view.js", "page.js", "app.js", "LICENSES.txt")
CONFIGURED_IN = ("package.json", "package-lock.json", "vite.config.ts", "licenses.ts")
PALETTE = "src/labelscape/plotting/palette.json"  # the view holds it, too
SBOM = "sbom/labelscape.cdx.json"  # `make dist` writes it, a source archive has it
WITHOUT = "Without the view, explore and HTML pages will not work."


class ViewBuildHook(BuildHookInterface):
    """Brings the built view up to date before a wheel or an archive is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the view, or say in one sentence what is missing."""
        root = Path(self.root)
        if self.target_name == "wheel" and (root / SBOM).exists():
            build_data["sbom_files"] = [SBOM]
        if version == "editable" or is_current(root):
            return  # in a checkout, `make view` builds it
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
    """Return whether the built view is as new as all it is made from."""
    built = [root / "src/labelscape/hosts/static" / name for name in BUILT]
    if not all(file.exists() for file in built):
        return False
    view = root / "view"
    configured = map(view.joinpath, CONFIGURED_IN)
    sources = [*(view / "src").rglob("*"), *configured, root / PALETTE]
    oldest = min(file.stat().st_mtime for file in built)
    return all(file.stat().st_mtime <= oldest for file in sources if file.is_file())
