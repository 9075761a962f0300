"""What dump-rankings.mjs wrote, ready to be measured: texts as word counts, rankings and judgements as arrays."""

import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from text import row_of, words_of

ENGLISH = ('adi', 'cacm', 'cisi', 'cranfield', 'time', 'locomo-sessions', 'friendsqa', 'xquad-en', 'chroma-chunking')
OTHERS = ('jaquad', 'xquad-ar', 'xquad-de', 'xquad-th', 'xquad-tr', 'xquad-zh')


class Collection:
    """One test collection. Notes are sorted by id, so that a stable sort breaks ties as the product does."""

    def __init__(self, file):
        raw = json.loads(Path(file).read_text(encoding='utf8'))
        self.name = raw['name']
        order = sorted(range(len(raw['notes'])), key=lambda at: raw['notes'][at]['id'])
        place = np.empty(len(order), int)
        place[order] = np.arange(len(order))
        notes = [raw['notes'][at] for at in order]
        self.ids = [note['id'] for note in notes]
        self.passages = [
            (at, note['title'], headings, text) for at, note in enumerate(notes) for headings, text in note['passages'] or [['', '']]
        ]
        self.note_of = np.array([at for at, *_ in self.passages])
        self.first = np.searchsorted(self.note_of, np.arange(len(notes)))
        self.queries = raw['queries']
        conversations = np.array([note['conversation'] for note in notes])
        count = (len(self.queries), len(notes))
        self.words = np.zeros(count, np.float32)
        self.listed = np.zeros(count, bool)
        self.asked = np.ones(count, bool)
        self.gains = np.zeros(count, np.float32)
        number = {name: at for at, name in enumerate(self.ids)}
        self.ideal = np.zeros(len(self.queries))
        for at, query in enumerate(self.queries):
            for note, score in query['hits']:
                self.words[at, place[note]] = score
                self.listed[at, place[note]] = True
            if query['conversation']:
                self.asked[at] = conversations == query['conversation']
            for name, gain in query['judgements'].items():
                if name in number:
                    self.gains[at, number[name]] = max(0, gain)
            best = sorted((gain for gain in query['judgements'].values() if gain > 0), reverse=True)[:10]
            self.ideal[at] = sum(gain / np.log2(rank + 2) for rank, gain in enumerate(best))
        self.tune = np.array([query['half'] == 'tune' for query in self.queries])
        self._counts = {}

    def counts(self, what, texts):
        """Word counts of the texts over the collection's own words."""
        if what not in self._counts:
            numbers, rows, columns = {}, [], []
            for at, text in enumerate(texts()):
                for word in words_of(text):
                    rows.append(at)
                    columns.append(numbers.setdefault(word, len(numbers)))
            size = (at + 1, max(1, len(numbers)))
            counts = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), size)
            counts.sum_duplicates()
            self._counts[what] = (list(numbers), counts)
        return self._counts[what]

    def ndcg(self, scores):
        """nDCG@10 of every query."""
        depth = min(10, scores.shape[1])
        top = np.argsort(-scores, axis=1, kind='stable')[:, :depth]
        found = np.take_along_axis(self.gains, top, 1) * (np.take_along_axis(scores, top, 1) > -1e8)
        return (found / np.log2(np.arange(depth) + 2)).sum(axis=1) / np.maximum(self.ideal, 1e-9)

    def recall(self, scores, depth=100):
        top = np.argsort(-scores, axis=1, kind='stable')[:, :depth]
        found = (np.take_along_axis(self.gains, top, 1) > 0) & (np.take_along_axis(scores, top, 1) > -1e8)
        return found.sum(axis=1) / np.maximum((self.gains > 0).sum(axis=1), 1)

    def words_only(self):
        return np.where(self.listed, self.words, -1e9)


def row_counts(words, counts, rows):
    """The counts by row of a table: weights 1 + ln(count); and the number of words each text has, and knows."""
    row = np.array([row_of(word, rows) for word in words] or [-1])
    known = row >= 0
    to_rows = csr_matrix((np.ones(known.sum(), np.float32), (np.flatnonzero(known), row[known])), (len(row), len(rows)))
    by_row = (counts @ to_rows).tocsr()
    by_row.data = 1 + np.log(by_row.data)
    return by_row, known


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def load(folder, names=ENGLISH):
    return [Collection(Path(folder) / f'{name}.json') for name in names]
