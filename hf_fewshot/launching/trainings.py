"""Which runs will need the same trained model, as far as it shows before any data is read."""

import json

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import system_class
from hf_fewshot.systems.system import EPISODES

# Of support sets, after the training.
TUNING = "tuning"


def training_of(run: Run) -> str | None:
    """All that the training of a run depends on, as text; runs with the same share a model. None: nothing is trained.

    The model's folder is named when data and weights were read (`systems/training`), and a lock lets one process train
    it. So jobs are only put in order by this: were it wrong, one would wait for another in vain or beside it.
    """
    by = system_class(run.method).trained_by(run.method)
    on_episodes = by is not None and by.validated_on == EPISODES
    if by is None or (on_episodes and run.training is None):
        return None
    written = run.compared.written
    # Draws of the episodes that are predicted say nothing about those that are trained on; folds are trained on.
    data = {name: value for name, value in run.data.items() if not (on_episodes and name in DRAWS)}
    options = {name: value for name, value in written["options"].items() if name != TUNING}
    parts = [written[name] for name in ("benchmark", "config", "method", "model", "training", "seed")]
    return json.dumps([*parts, options, data], sort_keys=True, ensure_ascii=False)
