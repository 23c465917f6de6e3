"""Fig. 12: the satellite data on the maps of LFDA and NCA, in 2D and 3D."""

from benchmarks.papers.p000.fig10 import pictured


def main():
    pictured(("LFDA", "NCA"), "Fig. 12")


if __name__ == "__main__":
    main()
