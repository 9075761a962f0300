"""The training pairs as flat arrays: word ids and weights of every text, with the text's source and kind."""

import gzip
import json
from array import array
from collections import Counter
from pathlib import Path

import numpy as np
import snowballstemmer

from text import words_of

# Sources too small for a chunk of their own stand together with their like.
TOGETHER = {
    'based-cooking': 'recipes',
    'tacofancy': 'recipes',
    'dataview': 'small',
    'logseq-docs': 'small',
    'opensource-guide': 'small',
    'react-questions': 'small',
    'taskmaster4': 'small',
    'til-jbranchaud': 'til',
    'til-simonw': 'til',
    '18f-blog': '18f',
    '18f-handbook': '18f',
}
MAX_WORDS = 220
LEAST_COUNT = 3


def read_pairs(folder, glove_words, scratch):
    cached = Path(scratch) / 'pairs.npz'
    if not cached.exists():
        np.savez(cached, **flatten(folder, glove_words))
    stored = np.load(cached)
    return {name: stored[name] for name in stored.files}


def flatten(folder, glove_words):
    """
    words, stems: the vocabulary (GloVe's words that occur at all, and others from LEAST_COUNT on), a stem number each.
    start, ids, weights: of text t, ids[start[t]:start[t + 1]]; texts 2p and 2p + 1 are question and passage of pair p.
    same: equal texts share a number. source, kind: numbers of names.
    """
    numbers, counts = {}, Counter()
    source_names, kind_names = [], []
    ids, lengths, same, source, kind = array('i'), array('i'), array('i'), array('h'), array('h')
    texts = {}
    for path in sorted(Path(folder).glob('*.jsonl.gz')):
        name = path.name.removesuffix('.jsonl.gz')
        name = TOGETHER.get(name, name)
        if name not in source_names:
            source_names.append(name)
        for line in gzip.open(path, 'rt', encoding='utf8'):
            pair = json.loads(line)
            if pair['k'] not in kind_names:
                kind_names.append(pair['k'])
            both = [words_of(pair['q'])[:MAX_WORDS], words_of(pair['d'])[:MAX_WORDS]]
            if not both[0] or not both[1]:
                continue
            for words in both:
                same.append(texts.setdefault(hash(' '.join(words)), len(texts)))
                lengths.append(len(words))
                for word in words:
                    ids.append(numbers.setdefault(word, len(numbers)))
            source.append(source_names.index(name))
            kind.append(kind_names.index(pair['k']))
    flat = np.frombuffer(ids, np.int32)
    seen = np.bincount(flat, minlength=len(numbers))
    in_glove = set(glove_words)
    names = list(numbers)
    kept = [at for at, name in enumerate(names) if seen[at] >= LEAST_COUNT or name in in_glove]
    renumbered = np.full(len(names), -1, np.int32)
    renumbered[kept] = np.arange(len(kept))
    words = [names[at] for at in kept]
    stemmer = snowballstemmer.stemmer('english')
    stem_numbers = {}
    stems = [stem_numbers.setdefault(stem, len(stem_numbers)) for stem in stemmer.stemWords(words)]
    start, distinct, weights = count_words(renumbered[flat], np.frombuffer(lengths, np.int32))
    return {
        'words': np.array(words),
        'counts': seen[kept],
        'stems': np.array(stems, np.int32),
        'start': start,
        'ids': distinct,
        'weights': weights,
        'same': np.frombuffer(same, np.int32),
        'source': np.frombuffer(source, np.int16),
        'kind': np.frombuffer(kind, np.int16),
        'source_names': np.array(source_names),
        'kind_names': np.array(kind_names),
    }


def count_words(flat, lengths):
    """Each text's distinct words with 1 + ln(count)."""
    text = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    known = flat >= 0
    key = text[known] << 32 | flat[known]
    key.sort()
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    count = np.diff(np.append(first, len(key)))
    distinct = key[first]
    start = np.searchsorted(distinct >> 32, np.arange(len(lengths) + 1))
    return start, (distinct & 0xFFFFFFFF).astype(np.int32), (1 + np.log(count)).astype(np.float32)
