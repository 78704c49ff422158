#!/usr/bin/env bash
# Makes or mends a virtual environment that holds torch: tools/environment.sh FOLDER OLDEST NEWEST
# A torch of PYTHON's own with OLDEST <= version < NEWEST is borrowed; any other case downloads one, from TORCH_INDEX.
set -euo pipefail
folder=$1 oldest=$2 newest=$3
outer=${PYTHON:-python3}
inner=$folder/bin/python

if ! "$outer" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
	echo "logitproof needs Python 3.11 or newer, but $outer is $("$outer" --version 2>&1). Try: make PYTHON=python3.11" >&2
	exit 1
fi
if ! "$inner" -m pip --version >/dev/null 2>&1; then
	rm -rf "$folder"
	echo "making $folder"
	"$outer" -m venv "$folder"
fi
cp constraints.txt "$folder/constraints.txt"

# The folder of a torch that may be borrowed; fails where there is none.
outer_torch() {
	"$outer" - "$oldest" "$newest" 2>/dev/null <<'END'
import sys
from pathlib import Path
import torch
oldest, newest, found = (tuple(map(int, text.split(".")[:2])) for text in (*sys.argv[1:], torch.__version__))
print(Path(torch.__file__).parents[1])
sys.exit(not oldest <= found < newest)
END
}

# It comes in as the last entry of sys.path: whatever we pin hides its namesake out there.
borrowed=$("$inner" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/borrowed_torch.pth
rm -f "$borrowed"
if ! "$inner" -m pip show --quiet torch 2>/dev/null && place=$(outer_torch); then
	echo "$place" >"$borrowed"
	if "$inner" -c 'import torch' 2>/dev/null; then
		echo "reusing torch from $place"
		sed -i.all '/^torch==/d' "$folder/constraints.txt"
		exit
	fi
	rm -f "$borrowed"
fi
echo "installing torch"
"$inner" -m pip --disable-pip-version-check install --quiet ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} -c constraints.txt torch
