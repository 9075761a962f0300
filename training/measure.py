"""
Fuses the words' ranking of each test collection with a model's and prints nDCG@10 by halves.

For note n and query q:  words(n) / best words + weight(q) * z(n),  z of the note's best window over all notes asked,
weight(q) = WEIGHT * known(q)^2, 0 for a query that is not English. A word that the model does not know stands for what
the windows that hold it have in common.
"""

import argparse
import math
import re

import numpy as np
from scipy.sparse import csr_matrix

from collections_words import ENGLISH, OTHERS, load, row_counts, unit
from model_file import read_model
from text import WORD, fold, row_of, words_of

WEIGHT = 0.11
UNKNOWN_WEIGHT = 1
WINDOW = 64
RARITY_POWER = 1
LEAST_RARITY = 0.02
STOP_WORD_WEIGHT = 0.2
ANY_WORD = re.compile(r'[^\W_]+')


def windows_of(words, size=WINDOW):
    """Equal parts of about `size` words; one, maybe empty, where there are fewer."""
    parts = max(1, math.floor(len(words) / size + 0.5))
    length = max(1, math.ceil(len(words) / parts))
    return [words[at : at + length] for at in range(0, max(1, len(words)), length)]


def window_texts(collection, size, with_title=True):
    """Text of each window with title and headings before it, and the first window of each note."""
    texts, notes = [], []
    for note, title, headings, text in collection.passages:
        for window in windows_of(words_of(text), size):
            texts.append(' '.join([title if with_title else '', headings, *window]))
            notes.append(note)
    return texts, np.searchsorted(np.array(notes), np.arange(len(collection.ids)))


def known_share(text, rows):
    """Of the query's distinct words in any script, the share that has a row."""
    words = set(ANY_WORD.findall(fold(text)))
    known = sum(1 for word in words if WORD.fullmatch(word) and row_of(word, rows) >= 0)
    return known / max(1, len(words))


def query_vectors(collection, rows, table, window_counts, power, stop_weight, passages=None):
    """Words weighted by how rare the vault has them: (ln((N + 1)/n) / ln(N + 1))^power, n of N notes holding the word; stop words alike."""
    words, counts = collection.counts('queries', lambda: (query['text'] for query in collection.queries))
    note_words, note_counts = window_counts
    spread = np.asarray((note_counts > 0).sum(axis=0)).ravel()
    notes_with = dict(zip(note_words, spread))
    size = len(collection.ids)
    rarity = np.array(
        [
            max(LEAST_RARITY, math.log((size + 1) / max(1, notes_with.get(word, 0))) / math.log(size + 1))
            for word in words
        ]
    )
    weights = counts.copy()
    weights.data = 1 + np.log(weights.data)
    weights = weights.tocoo()
    planned = [{piece for text, *_ in query['words'] for piece in words_of(text)} for query in collection.queries]
    stops = np.array([words[at] not in planned[query] for query, at in zip(weights.row, weights.col)], bool)
    weights.data *= np.where(stops, STOP_WORD_WEIGHT if stop_weight is None else stop_weight, rarity[weights.col] ** power)
    row = np.array([row_of(word, rows) for word in words])
    vectors = np.where((row >= 0)[:, None], table[np.maximum(row, 0)], 0)
    if passages is not None:
        vectors = vectors + unknown_vectors(words, row, *passages) * unknown_length(table)
    return unit(weights.tocsr() @ vectors)


def unknown_length(table):
    """How much an unknown word weighs before its rarity: the middle length of a row."""
    return UNKNOWN_WEIGHT * float(np.median(np.linalg.norm(table, axis=1)))


def unknown_vectors(words, row, window_words, window_counts, vectors):
    """Unit vectors: the mean of the windows that hold the word, less the mean of all windows."""
    place = {word: at for at, word in enumerate(window_words)}
    wanted = [at for at, word in enumerate(words) if row[at] < 0 and word in place]
    found = np.zeros((len(words), vectors.shape[1]))
    if wanted:
        holds = (window_counts[:, [place[words[at]] for at in wanted]] > 0).astype(np.float32)
        means = np.asarray((holds.T @ vectors) / np.asarray(holds.sum(axis=0)).ravel()[:, None])
        found[wanted] = unit(means - vectors.mean(axis=0))
    return found


def standardise(cosines, asked):
    count = asked.sum(axis=1, keepdims=True)
    mean = (cosines * asked).sum(axis=1, keepdims=True) / count
    spread = np.sqrt((((cosines - mean) ** 2) * asked).sum(axis=1, keepdims=True) / count)
    return np.where(spread > 1e-6, (cosines - mean) / np.maximum(spread, 1e-6), 0)


def cosines_of(collection, rows, table, args):
    key = f'windows {args.window} {args.no_title}'
    texts, first = window_texts(collection, args.window, not args.no_title)
    words, counts = collection.counts(key, lambda: texts)
    by_row, _ = row_counts(words, counts, rows)
    passages = unit(by_row @ table)
    by_note = csr_matrix(
        (np.ones(len(collection.passages)), (collection.note_of, np.arange(len(collection.passages)))),
        (len(collection.ids), len(collection.passages)),
    )
    full_words, full = collection.counts('full', lambda: (f'{title} {headings} {text}' for _, title, headings, text in collection.passages))
    queries = query_vectors(collection, rows, table, (full_words, by_note @ full), args.power, args.stop_weight, None if args.no_unknown else (words, counts, passages))
    return np.maximum.reduceat(queries @ passages.T, first, axis=1)


def fused(collection, cosines, rows, args):
    best = np.maximum(collection.words.max(axis=1, keepdims=True), 1e-9)
    by_words = collection.words / best
    known = np.array([known_share(query['text'], rows) for query in collection.queries])
    english = np.array([not query['isForeign'] for query in collection.queries])
    weight = args.weight * known**args.known_power * (english | args.foreign_too)
    if args.flat_rule:
        tenth = -np.sort(-by_words, axis=1)[:, min(9, by_words.shape[1] - 1)]
        weight = weight * np.sqrt(1 - tenth)
    scores = by_words + weight[:, None] * standardise(cosines, collection.asked)
    # Without words and without meaning a note is no hit.
    return np.where(collection.asked & ((weight[:, None] > 0) | collection.listed), scores, -1e9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('model')
    parser.add_argument('rankings', help='folder written by dump-rankings.mjs')
    parser.add_argument('--dimensions', type=int, help='only the first so many')
    parser.add_argument('--weight', type=float, default=WEIGHT)
    parser.add_argument('--window', type=int, default=WINDOW)
    parser.add_argument('--power', type=float, default=RARITY_POWER)
    parser.add_argument('--known-power', type=float, default=2)
    parser.add_argument('--stop-weight', type=float)
    parser.add_argument('--flat-rule', action='store_true', help='less weight where the first ten are alike')
    parser.add_argument('--no-unknown', action='store_true')
    parser.add_argument('--foreign-too', action='store_true')
    parser.add_argument('--no-title', action='store_true')
    parser.add_argument('--halves', nargs='*', default=['tune'], choices=['tune', 'report'])
    parser.add_argument('--collections', nargs='*', default=list(ENGLISH))
    args = parser.parse_args()
    rows, table = read_model(args.model)
    table = table[:, : args.dimensions] if args.dimensions else table
    gains = {half: [] for half in args.halves}
    for collection in load(args.rankings, args.collections):
        words = collection.ndcg(collection.words_only())
        both_scores = fused(collection, cosines_of(collection, rows, table, args), rows, args)
        both = collection.ndcg(both_scores)
        line = f'{collection.name:16}'
        for half in args.halves:
            of_half = collection.tune if half == 'tune' else ~collection.tune
            a, b = words[of_half].mean(), both[of_half].mean()
            line += f' | {half} {of_half.sum():5} {a:.4f} {b:.4f} {b - a:+.4f}'
            line += f' recall@100 {collection.recall(collection.words_only())[of_half].mean():.3f} {collection.recall(both_scores)[of_half].mean():.3f}'
            gains[half].append(b - a)
        print(line, flush=True)
    print('mean', ' '.join(f'{half} {np.mean(values):+.4f}' for half, values in gains.items()))


if __name__ == '__main__':
    main()
