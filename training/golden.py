"""Writes golden.json: texts, ordinary and odd, with the vectors that every implementation has to give."""

import json
import sys
from pathlib import Path

from model_file import read_model
from text import vector_of

TEXTS = (
    '',
    ' \n\t ',
    '...',
    'qzxv wwqk',
    '日本語のノート',
    'Grüße an Jürgen',
    'naïve café façade résumé coöperate',
    'Ångström ÉLÈVE Ñandú',
    'The quick brown fox jumps over the lazy dog.',
    'THE QUICK BROWN FOX',
    'the',
    'dog dog dog dog',
    'dog',
    'dogs',
    'a a a b b c',
    'How do I undo the last commit?',
    'What did Melanie say about the charity race?',
    'getUserById snake_case_name kebab-case-name',
    'src/core/retrieval/rank.ts',
    'v1.0.21 2024-01-05 10:30',
    '192',
    'std::vector<int> numbers;',
    "don't can't it's",
    'e-mail, email and e mail',
    'bananaish unbananas',
    'kubernetesing',
    'walkers walked walking walks walk walkly',
    'boxes boxed boxing boxer boxers',
    'es ed ing ers',
    'xs',
    'her hers herd',
    'İstanbul ISTANBUL ısparta',
    'Straße STRASSE',
    'ﬁle ﬂow',
    'x² H₂O',
    'Ⅷ ① ½',
    '\u0065\u0301cole \u00e9cole',
    'zero\u200bwidth soft\u00adhyphen',
    'emoji 🎉 party 🎂 cake',
    'Привет мир hello',
    'مرحبا hello',
    'C++ C# F# .NET',
    'https://example.com/path?query=value&other=1',
    '# Heading\n\n- item one\n- item two\n\n> quote',
    'recipe for a birthday cake with chocolate and strawberries',
    'memory leak in the garbage collector after upgrade',
    'meeting notes: budget, hiring plan, next quarter',
    'the of and to in',
    'supercalifragilisticexpialidocious antidisestablishmentarianism',
    ' '.join(f'note {number} about gardens, tomatoes and watering in summer.' for number in range(60)),
)


def main(model, out):
    rows, table = read_model(model, 'float64')
    vectors = [{'text': text, 'vector': [round(float(value), 9) for value in vector_of(text, rows, table)]} for text in TEXTS]
    Path(out).write_text('[\n' + ',\n'.join(json.dumps(one) for one in vectors) + '\n]\n')
    print(f'{out}: {len(vectors)} texts')


if __name__ == '__main__':
    main(*sys.argv[1:3])
