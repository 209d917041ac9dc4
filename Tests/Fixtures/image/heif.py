#!/usr/bin/env python3
"""Writes the HEIF fixtures of this directory: heif.py [DIRECTORY]. Needs ffmpeg and heif-enc (libheif-examples).

heif-enc writes plain pictures. Phones write tiles, rotations and additional pictures, so this script puts the
pictures of heif-enc into new files with these features (ISO/IEC 14496-12 and 23008-12).
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

here = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
fixtures = pathlib.Path(__file__).parent
work = pathlib.Path(tempfile.mkdtemp())


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + name + body


def full(name, version, flags, *parts):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def find(data, name):
    at = data.index(name) - 4
    return data[at : at + struct.unpack(">I", data[at : at + 4])[0]]


def encoded(source, *options):
    """Returns the decoder configuration and the coded picture that heif-enc makes from a PNG."""
    file = work / "one.heic"
    run("heif-enc", "-q", "60", *options, str(source), "-o", str(file))
    data = file.read_bytes()
    return find(data, b"hvcC"), find(data, b"mdat")[8:]


def plain(colour, width, height, pixels="rgb24"):
    file = work / f"{colour}-{width}x{height}-{pixels}.png"
    run("ffmpeg", "-y", "-f", "lavfi", "-i", f"color={colour}:s={width}x{height},format={pixels}", "-frames:v", "1",
        "-pix_fmt", pixels, str(file))
    return file


def ispe(width, height):
    return full(b"ispe", 0, 0, struct.pack(">II", width, height))


ROTATION = {turns: box(b"irot", bytes([turns])) for turns in range(4)}
MIRROR = {axis: box(b"imir", bytes([axis])) for axis in range(2)}
DEPTH = full(b"auxC", 0, 0, b"urn:mpeg:hevc:2015:auxid:2\0")


def write(name, items, references, primary, brand=b"heic"):
    """Writes a file. An item is (type, data, properties, is hidden); its id is its place, from 1."""
    properties = []
    associations = b""
    for number, (_, _, own, _) in enumerate(items, 1):
        associations += struct.pack(">HB", number, len(own))
        for item in own:
            if item not in properties:
                properties.append(item)
            essential = 0x80 if item[4:8] in (b"hvcC", b"irot", b"imir") else 0
            associations += bytes([essential | properties.index(item) + 1])
    infos = b"".join(
        full(b"infe", 2, hidden, struct.pack(">HH", number, 0), kind, b"\0")
        for number, (kind, _, _, hidden) in enumerate(items, 1))
    refs = b"".join(
        box(kind, struct.pack(">HH", source, len(targets)), *(struct.pack(">H", one) for one in targets))
        for kind, source, targets in references)

    def file(start):
        places = b""
        for number, (_, data, _, _) in enumerate(items, 1):
            places += struct.pack(">HHHII", number, 0, 1, start, len(data))
            start += len(data)
        meta = full(
            b"meta", 0, 0,
            full(b"hdlr", 0, 0, struct.pack(">I", 0), b"pict", bytes(12), b"\0"),
            full(b"pitm", 0, 0, struct.pack(">H", primary)),
            full(b"iloc", 0, 0, b"\x44\x00", struct.pack(">H", len(items)), places),
            full(b"iinf", 0, 0, struct.pack(">H", len(items)), infos),
            box(b"iprp", box(b"ipco", *properties), full(b"ipma", 0, 0, struct.pack(">I", len(items)), associations)),
            *([full(b"iref", 0, 0, refs)] if refs else []))
        head = box(b"ftyp", brand, bytes(4), b"mif1", b"heic") + meta
        return head + box(b"mdat", *(data for _, data, _, _ in items)), len(head) + 8

    _, start = file(0)
    (here / name).write_bytes(file(start)[0])


def exif(orientation):
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return struct.pack(">I", 6) + b"Exif\0\0" + tiff + b"CANARY 52.5163N 13.3777E"


# Write pictures with heif-enc: 8 bit, with transparency, AV1, and 10 bit.
run("heif-enc", "-q", "60", str(fixtures / "quarters.png"), "-o", str(here / "quarters.heic"))
run("heif-enc", "-q", "60", str(fixtures / "glass.png"), "-o", str(here / "glass.heic"))
run("heif-enc", "-A", "-q", "60", str(fixtures / "quarters.png"), "-o", str(here / "quarters.avif"))
deep = work / "deep.png"
run("ffmpeg", "-y", "-i", str(fixtures / "quarters.png"), "-pix_fmt", "rgb48be", str(deep))
run("heif-enc", "-q", "60", "-b", "10", str(deep), "-o", str(here / "ten-bits.heic"))

# Write one picture for each rotation (counterclockwise) and each mirror. The HEIF properties and the EXIF block of a
# picture contain the same rotation.
wide = work / "wide.png"
run("ffmpeg", "-y", "-i", str(fixtures / "quarters.png"), "-vf", "scale=128:64:flags=neighbor", str(wide))
config, picture = encoded(wide)
for name, turn in [(f"turn{turns}", ROTATION[turns]) for turns in (1, 2, 3)] + [
        (f"mirror{axis}", MIRROR[axis]) for axis in (0, 1)]:
    write(f"{name}.heic", [(b"hvc1", picture, [config, ispe(128, 64), turn], 0), (b"Exif", exif(6), [], 1)],
          [(b"cdsc", 2, [1])], 1)

# Write a file in the form of a phone's file. It contains four tiles of 64 x 64, a thumbnail, a depth picture and an
# EXIF block. The picture of the tiles is cut to 120 x 100, and turned by 270 degrees counterclockwise.
tiles = [encoded(plain(colour, 64, 64)) for colour in ("0xff0000", "0x00a000", "0x0000ff", "0xffffff")]
items = [(b"hvc1", data, [config, ispe(64, 64)], 1) for config, data in tiles]
items.append((b"grid", bytes([0, 0, 1, 1]) + struct.pack(">HH", 120, 100), [ispe(120, 100), ROTATION[3]], 0))
small, depth = encoded(plain("0x808080", 64, 64)), encoded(plain("0x000000", 64, 64))
items.append((b"hvc1", small[1], [small[0], ispe(64, 64)], 0))
items.append((b"hvc1", depth[1], [depth[0], ispe(64, 64), DEPTH], 1))
items.append((b"Exif", exif(6), [], 1))
write("phone.heic", items,
      [(b"dimg", 5, [1, 2, 3, 4]), (b"thmb", 6, [5]), (b"auxl", 7, [5]), (b"cdsc", 8, [5])], 5)

# Write a picture of 50 megapixels in the form of a phone's file. The picture contains the same tile 192 times, so
# that the file stays small. Also write a file that states a size of 266 megapixels.
config, tile = encoded(plain("0xff0000", 512, 512))
for name, (width, height), count in (("large", (8192, 6144), 192), ("huge", (16320, 16320), 1)):
    rows, columns = (12, 16) if count > 1 else (1, 1)
    size = struct.pack(">II", width, height)
    write(f"{name}.heic", [
        (b"hvc1", tile, [config, ispe(512, 512)], 1),
        (b"grid", bytes([0, 1, rows - 1, columns - 1]) + size, [ispe(width, height), ROTATION[3]], 0),
    ], [(b"dimg", 2, [1] * count)], 2)
