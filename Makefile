# make check   prove the laws, then a short lockstep run: the three processors of the seed and the whole pipeline
# make test    the test suite, then tests/interop in an environment that holds a released vLLM
# make lint    ruff, strict types over all five rooms, import contracts
# make bench   ratios against a peer, measured in one run
# make clean   remove the environments and everything that was built
#
# PYTHON=python3.12   interpreter that makes the environments; a torch it already has is reused, not downloaded
# TORCH_INDEX=URL     package index to take torch from (pip --index-url), for instance one with CPU builds
# JOBS=2              test processes

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help check test interop lint bench clean

PYTHON ?= python3
JOBS ?= 2
TORCH_INDEX ?=
export PYTHON TORCH_INDEX
FUZZ ?= --max-examples 100
PROCESSORS := \
	logitproof.impl.pipeline:PipelineLogitsProcessor \
	logitproof.impl.processors.min_p:MinPLogitsProcessor \
	logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor \
	logitproof.impl.processors.min_tokens:MinTokensLogitsProcessor

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

check: .venv/.ready
	.venv/bin/logitproof check
	.venv/bin/logitproof fuzz $(FUZZ) $(PROCESSORS)

test: .venv/.ready
	.venv/bin/python -m pytest -n $(JOBS) $$(cat .venv/pytest-options)
	@$(MAKE) --no-print-directory interop

# Only a vLLM that cannot be installed may be skipped, and never in CI; any other failure is a failure.
interop:
	@if ! $(MAKE) --no-print-directory .venv-vllm/.vllm; then \
		printf '\n%s\n' '#### INTEROP NOT RUN: vLLM could not be installed in .venv-vllm. Reason:' >&2; \
		tail -n 5 .venv-vllm/install.log >&2 || true; \
		if [ "$${CI:-}" = true ]; then echo '#### CI may not skip it.' >&2; exit 1; fi; \
		printf '%s\n\n' '#### Skipped. Again: make interop' >&2; \
	else \
		$(MAKE) --no-print-directory .venv-vllm/.ready && \
		.venv-vllm/bin/python -m pytest tests/interop $$(cat .venv-vllm/pytest-options); \
	fi

# mypy and import-linter read files, not the hooks of an editable install: they get the layout of the wheel.
lint: .venv/.ready
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	@rm -rf build/rooms && mkdir -p build/rooms
	@cp -Rp logitproof build/rooms/
	@cp -Rp spec model proofs impl build/rooms/logitproof/
	cd build/rooms && ../../.venv/bin/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache -p logitproof \
		| sed -E 's#^logitproof/(spec|model|proofs|impl)/#\1/#'
	cd build/rooms && ../../.venv/bin/lint-imports --no-cache ../../pyproject.toml

bench: .venv-vllm/.ready
	for benchmark in benchmarks/[a-z]*.py; do .venv-vllm/bin/python "$$benchmark"; done

clean:
	rm -rf .venv .venv-vllm build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments -------------------------------------------------------------------------------------------------
# A stamp names a finished environment; it is made again, in place, when one of the files it depends on changes.

PIP_INSTALL := bin/python -m pip --disable-pip-version-check install --quiet

.venv/.ready: pyproject.toml constraints.txt tools/environment.sh
	@rm -f $@
	@tools/environment.sh .venv 2.4 99.0
	.venv/$(PIP_INSTALL) -c .venv/constraints.txt setuptools
	.venv/$(PIP_INSTALL) -c .venv/constraints.txt --no-build-isolation --editable '.[dev]'
	@.venv/bin/python tools/outer_plugins.py >.venv/pytest-options
	@touch $@

.venv-vllm/.vllm: constraints.txt tests/interop/requirements.txt tools/environment.sh
	@rm -f $@
	@tools/environment.sh .venv-vllm 2.13 2.14
	.venv-vllm/$(PIP_INSTALL) --no-deps -r tests/interop/requirements.txt 2>&1 | tee .venv-vllm/install.log
	.venv-vllm/bin/python -c 'import vllm.v1.worker.gpu_input_batch' 2>&1 | tee -a .venv-vllm/install.log
	@touch $@

.venv-vllm/.ready: .venv-vllm/.vllm pyproject.toml
	@rm -f $@
	.venv-vllm/$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@.venv-vllm/bin/python tools/outer_plugins.py >.venv-vllm/pytest-options
	@touch $@
