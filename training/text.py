"""Text to vector as the product does it: folding, words, endings to lose, weights. The file format is in model_file.py."""

import math
import re
import unicodedata

import numpy as np

WORD = re.compile(r'[a-z0-9]+')
ENDINGS = ('s', 'es', 'ed', 'd', 'ing', 'ly', 'er', 'ers')
MIN_STEM = 3


def fold(text):
    """Lower case, then NFD without combining marks (U+0300 to U+036F)."""
    text = text.lower()
    if text.isascii():
        return text
    return re.sub('[\u0300-\u036f]', '', unicodedata.normalize('NFD', text))


def words_of(text):
    return WORD.findall(fold(text))


def row_of(word, rows):
    """Row number of the word, else of what is left without the first ending that gives a known word; -1 for none."""
    row = rows.get(word, -1)
    if row >= 0:
        return row
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            row = rows.get(word[: -len(ending)], -1)
            if row >= 0:
                return row
    return -1


def weighted_rows(words, rows):
    """Row numbers in order of first occurrence, with 1 + ln(count) each; words that share a row are counted together."""
    counts = {}
    for word in words:
        row = row_of(word, rows)
        if row >= 0:
            counts[row] = counts.get(row, 0) + 1
    return [(row, 1 + math.log(count)) for row, count in counts.items()]


def vector_of(text, rows, table):
    """Unit vector in float64, all zeros where no word is known."""
    total = np.zeros(table.shape[1])
    for row, weight in weighted_rows(words_of(text), rows):
        total += weight * table[row].astype(np.float64)
    length = math.sqrt(float(total @ total))
    return total / length if length > 0 else total
