"""From a seed to a folder of pictures that a stranger could send."""

import io
import os
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

EACH = 6  # pictures of a class
OUTSIDE = 201  # the gray of the picture outside of the folder


def picture(rng: Random, side: int = 24) -> np.ndarray:
    """Return gray values from 0 to 255, alike in all classes."""
    noise = np.random.default_rng(rng.randrange(2**32)).integers(0, 256, (side, side))
    noise[0, 0], noise[-1, -1] = 0, 255
    return noise


def folder_of_pictures(rng: Random, folder: Path) -> tuple[str, Path]:
    """Return the name of what is odd in a folder, and the folder."""
    Image.fromarray(np.full((24, 24), OUTSIDE, "u1")).save(folder / "outside.png")
    (folder / "elsewhere").mkdir()
    Image.fromarray(np.full((24, 24), OUTSIDE, "u1")).save(
        folder / "elsewhere" / "a.png"
    )
    pictures = folder / "pictures"
    for name in "ab":
        (pictures / name).mkdir(parents=True)
        for i in range(EACH):
            ending = rng.choice(["png", "tif", "bmp", "gif", "jpg", "webp"])
            values = picture(rng).astype("u1")
            Image.fromarray(values).save(pictures / name / f"{i}.{ending}")
    name = rng.choice([*TRICKS, "damage", "damage", "damage"])
    TRICKS.get(name, damage)(pictures, rng)
    return f"pictures: {name}", pictures


def damage(pictures: Path, rng: Random) -> None:
    file = rng.choice(sorted(pictures.glob("*/*")))
    data = bytearray(file.read_bytes())
    for _ in range(rng.choice([1, 3, 20])):
        at = rng.randrange(len(data)) if data else 0
        how = rng.choice(["byte", "byte", "hole", "cut"])
        if how == "byte":
            data[at : at + 1] = [rng.choice([0, 255, rng.randrange(256)])]
        elif how == "hole":
            del data[at : at + rng.randrange(1, 9)]
        else:
            del data[max(at, 9) :]
    file.write_bytes(bytes(data))


def pipe(pictures: Path, rng: Random) -> None:
    os.mkfifo(pictures / "a" / rng.choice(["pipe.png", "pipe.tif", "pipe.jpg"]))


def device(pictures: Path, rng: Random) -> None:
    target = rng.choice(["/dev/zero", "/dev/tty", "/dev/random", "/proc/self/mem"])
    (pictures / "a" / "dev.png").symlink_to(target)


def plug(pictures: Path, rng: Random) -> None:
    here = os.getcwd()
    os.chdir(pictures / "a")  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("plug.png")
    os.chdir(here)


def link(pictures: Path, rng: Random) -> None:
    target = rng.choice([pictures.parent / "outside.png", "../../outside.png"])
    (pictures / rng.choice("ab") / "linked.png").symlink_to(target)


def linked_folder(pictures: Path, rng: Random) -> None:
    (pictures / "c").symlink_to(rng.choice(["../elsewhere", pictures.parent]))


def link_loop(pictures: Path, rng: Random) -> None:
    if rng.random() < 0.5:
        (pictures / "a" / "loop.png").symlink_to("loop.png")
    (pictures / "c").symlink_to(".")


def bomb(pictures: Path, rng: Random) -> None:
    side = rng.choice([8_000, 13_000, 30_000])
    ending = rng.choice(["png", "tif", "gif"])
    size = (side, side) if side < 30_000 else (60_000, 3_000)
    how = {"compression": "tiff_deflate"} if ending == "tif" else {}
    Image.new("L", size).save(pictures / "a" / f"bomb.{ending}", **how)


def declared(pictures: Path, rng: Random) -> None:
    file = io.BytesIO()
    Image.fromarray(picture(rng).astype("u1")).save(file, "PNG")
    data = bytearray(file.getvalue())
    data[16:24] = rng.choice([b"\x7f\xff\xff\xff" * 2, b"\0\1\0\0\0\0\0\1", b"\0" * 8])
    (pictures / "a" / "declared.png").write_bytes(bytes(data))


def other_format(pictures: Path, rng: Random) -> None:
    mark = pictures.parent / "executed"
    eps = f"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n({mark})\n"
    texts = [
        f"{eps}(w) file closefile showpage",
        "P5\n99999 99999\n255\n",
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>',
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><svg>&b;</svg>",
        "%PDF-1.4\n1 0 obj",
        "8BPS\0\1",
        "gimp xcf ",
        f"cposix\nsystem\n(S'touch {mark}'\ntR.",
        "",
        "#define x_width 9\n#define x_height 9\nstatic char x_bits[] = {0};",
    ]
    name = rng.choice(["x.png", "x.jpg", "x.tif", "x.gif", "x.webp", "x.bmp"])
    (pictures / "a" / name).write_text(rng.choice(texts))


def depths(pictures: Path, rng: Random) -> None:
    """One class with another type of gray values, but the same values."""
    factor, kind = rng.choice(
        [(257, "u2"), (1, "i4"), (257, "i4"), (1, "f4"), (1 / 255, "f4"), (257, "f4")]
    )
    for i in range(20):
        values = picture(rng)
        Image.fromarray(values.astype("u1")).save(pictures / "a" / f"d{i}.png")
        deep = (values * factor).astype(kind)
        Image.fromarray(deep).save(pictures / "b" / f"d{i}.tif")


def no_range(pictures: Path, rng: Random) -> None:
    values = picture(rng).astype("f4")
    values[0, 0] = rng.choice([np.nan, np.inf, -1.0, 4e27, 70_000.0])
    Image.fromarray(values).save(pictures / "a" / "float.tif")


def modes(pictures: Path, rng: Random) -> None:
    mode = rng.choice(["1", "LA", "PA", "P", "RGBA", "CMYK", "YCbCr", "LAB", "I;16B"])
    base = Image.fromarray(picture(rng).astype("u1"))
    if mode == "LAB":
        odd = Image.merge("LAB", [base] * 3)
    elif mode == "I;16B":
        odd = Image.frombytes(mode, base.size, picture(rng).astype(">u2").tobytes())
    else:
        odd = base.convert("LA" if mode == "PA" else "RGB").convert(mode)
    odd.save(pictures / "a" / "mode.tif")


def names(pictures: Path, rng: Random) -> None:
    values = Image.fromarray(picture(rng).astype("u1"))
    name = rng.choice(["new\nline", "日本", "\x1b]0;title\x07", "=1+1", "a" * 200])
    values.save(pictures / "a" / f"{name}.png")
    if rng.random() < 0.5:
        os.rename(
            os.fsencode(pictures / "a" / f"{name}.png"),
            os.fsencode(pictures / "a") + b"/\xff\xfe.png",
        )


def no_file(pictures: Path, rng: Random) -> None:
    (pictures / "a" / "folder.png").mkdir()


def text_bomb(pictures: Path, rng: Random) -> None:
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    for i in range(rng.choice([1, 80])):
        info.add_text(f"k{i}", "x" * 2**20, zip=True)
    Image.new("L", (9, 9)).save(pictures / "a" / "text.png", pnginfo=info)


def frames(pictures: Path, rng: Random) -> None:
    first, *others = [Image.new("L", (600, 600), i % 256) for i in range(200)]
    first.save(pictures / "a" / "film.gif", save_all=True, append_images=others)


def tiff_circle(pictures: Path, rng: Random) -> None:
    file = io.BytesIO()
    Image.fromarray(picture(rng).astype("u1")).save(file, "TIFF")
    data = bytearray(file.getvalue())
    at = int.from_bytes(data[4:8], "little")
    end = at + 2 + 12 * int.from_bytes(data[at : at + 2], "little")
    data[end : end + 4] = at.to_bytes(4, "little")  # the next directory is this one
    entry = at + 2 + 12 * rng.randrange(8)
    if rng.random() < 0.6:
        data[entry + 4 : entry + 8] = rng.choice([2**31 - 1, 2**24]).to_bytes(
            4, "little"
        )
    (pictures / "a" / "circle.tif").write_bytes(bytes(data))


TRICKS: dict[str, Callable[[Path, Random], None]] = {
    "pipe": pipe,
    "device": device,
    "socket": plug,
    "link": link,
    "linked folder": linked_folder,
    "link loop": link_loop,
    "bomb": bomb,
    "declared": declared,
    "other format": other_format,
    "depths": depths,
    "no range": no_range,
    "modes": modes,
    "names": names,
    "no file": no_file,
    "text bomb": text_bomb,
    "frames": frames,
    "TIFF circle": tiff_circle,
}
