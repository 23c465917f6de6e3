"""List the benchmarks, or run one: ``python -m benchmarks [NAME]``."""

import importlib.util
import pkgutil
import runpy
import sys

import benchmarks


def main():
    names = sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if not module.name.startswith("_")
    )
    if len(sys.argv) < 2:
        for name in names:
            spec = importlib.util.find_spec(f"benchmarks.{name}")
            with open(spec.origin, encoding="utf-8") as file:
                first_line = file.readline().strip().strip('"')
            print(f"{name:20} {first_line}")
        return
    name = sys.argv[1]
    if name not in names:
        sys.exit(f"No benchmark {name!r}. Choose one of: {', '.join(names)}.")
    sys.argv = sys.argv[1:]
    runpy.run_module(f"benchmarks.{name}", run_name="__main__")


if __name__ == "__main__":
    main()
