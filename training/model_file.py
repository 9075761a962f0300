"""The files of a model: vocabulary.bin (AMV1), vectors.bin (AME1), model.json. What a row means is in text.py."""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np

LEVELS = 127


def quantise(table):
    """int8 with one float32 scale a row."""
    scales = (np.abs(table).max(axis=1) / LEVELS).astype('<f4')
    safe = np.where(scales > 0, scales, 1).astype(np.float64)
    return scales, np.clip(np.rint(table / safe[:, None]), -LEVELS, LEVELS).astype(np.int8)


def write_model(folder, name, words, table, about):
    """`words` in any order, one row of `table` each; rows are sorted by the bytes of their words."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    order = sorted(range(len(words)), key=lambda at: words[at].encode())
    encoded = [words[at].encode() for at in order]
    scales, values = quantise(np.asarray(table)[order])
    offsets = np.zeros(len(encoded) + 1, '<u4')
    np.cumsum([len(word) for word in encoded], out=offsets[1:])
    vocabulary = b'AMV1' + struct.pack('<I', len(encoded)) + offsets.tobytes() + b''.join(encoded)
    vectors = b'AME1' + struct.pack('<II', *values.shape) + scales.tobytes() + values.tobytes()
    (folder / 'vocabulary.bin').write_bytes(vocabulary)
    (folder / 'vectors.bin').write_bytes(vectors)
    head = {
        'id': name,
        'format': 1,
        'dimensions': int(values.shape[1]),
        'words': len(encoded),
        **about,
        'fingerprint': hashlib.sha256(vocabulary + vectors).hexdigest(),
    }
    (folder / 'model.json').write_text(json.dumps(head, indent=2, ensure_ascii=False) + '\n')


def read_model(folder, precision='float32'):
    """Row number by word, and the rows: value times scale. The product multiplies in float64."""
    folder = Path(folder)
    raw = (folder / 'vocabulary.bin').read_bytes()
    assert raw[:4] == b'AMV1'
    (count,) = struct.unpack_from('<I', raw, 4)
    offsets = np.frombuffer(raw, '<u4', count + 1, 8)
    letters = raw[8 + 4 * (count + 1) :]
    rows = {letters[offsets[i] : offsets[i + 1]].decode(): i for i in range(count)}
    raw = (folder / 'vectors.bin').read_bytes()
    assert raw[:4] == b'AME1'
    count, dimensions = struct.unpack_from('<II', raw, 4)
    scales = np.frombuffer(raw, '<f4', count, 12)
    values = np.frombuffer(raw, np.int8, count * dimensions, 12 + 4 * count).reshape(count, dimensions)
    return rows, values.astype(precision) * scales.astype(precision)[:, None]
