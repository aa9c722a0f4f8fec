#!/usr/bin/env bash
# Trains the seven teachers beside one another on one GPU, then the student: about 15 minutes on an H200.
# train_all.sh DATA OUT, where DATA is what prepare.py wrote.
set -euo pipefail
data=$(realpath "$1") out=$(realpath "$2")
cd "$(dirname "$0")"
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1
teach() { python3 train.py teacher "$data" "$1" "$out/teacher-$1.pt" & }
teach 1
average=0.999 teach 2
rate=4e-4 teach 3
budget=2048 rate=2e-4 teach 4
drop=0.33 weight_decay=0.05 teach 5
epochs=40 kinds=0 teach 6
layer_decay=0.95 teach 7
wait
python3 train.py student "$data" 14 "$out/student.pt" "$out"/teacher-{1,2,3,4,5,6,7}.pt
