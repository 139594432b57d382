import subprocess
from pathlib import Path

import pytest

from hf_fewshot.launching.jobs import Job
from hf_fewshot.launching.slurm import Slurm
from hf_fewshot.launching.slurm_script import script

JOBS = [Job(("a_seed=0", "a_seed=1")), Job(("b",), after=0)]


def written(**changes):
    fields = {"logs": Path("/results/slurm/x"), "current": Path("/home/me"), "at_once": 4, "options": {}}
    command = changes.pop("command", ["python", "-m", "hf_fewshot.cli", "run", "my recipe.yaml"])
    return script("x", JOBS, command, **(fields | changes))


def test_a_script_is_plain_to_read():
    assert written(options={"partition": "gpu", "time": "2:00:00"}) == (
        "#!/bin/bash\n"
        "#SBATCH --job-name=x\n"
        "#SBATCH --array=0-1%4\n"
        "#SBATCH --requeue\n"
        "#SBATCH --open-mode=append\n"
        "#SBATCH --output=/results/slurm/x/%a.log\n"
        "#SBATCH --chdir=/home/me\n"
        "#SBATCH --partition=gpu\n"
        "#SBATCH --time=2:00:00\n"
        "case $SLURM_ARRAY_TASK_ID in\n"
        "  0) runs=(a_seed=0 a_seed=1) ;;\n"
        "  1) runs=(b) ;;\n"
        "esac\n"
        "exec python -m hf_fewshot.cli run 'my recipe.yaml' --only \"${runs[@]}\"\n"
    )


def test_a_task_gets_its_runs_as_words():
    text = written(command=["printf", "%s|", "my $HOME"])
    done = subprocess.run(["bash", "-c", text], env={"SLURM_ARRAY_TASK_ID": "0"}, capture_output=True, text=True)
    assert done.stdout == "my $HOME|--only|a_seed=0|a_seed=1|"


def test_paths_with_spaces_and_per_cents_stay_what_they_are():
    text = written(logs=Path("/my results/50%"), current=Path("/my home"))
    assert '#SBATCH --output="/my results/50%%/%a.log"\n#SBATCH --chdir="/my home"\n' in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"array": "0-9"}, "--sbatch array=0-9: the launcher says array itself. Leave it out."),
        ({"job-name": "me"}, "the launcher says job-name itself"),
        ({"partition": "a\n#SBATCH --uid=0"}, "control characters cannot be said to sbatch"),
        ({"comment": 'a "b"'}, "quotes, backslashes and control characters cannot be said"),
        ({"time 3": "4"}, "expected a long option of sbatch, such as partition=gpu"),
    ],
)
def test_what_cannot_be_said_to_sbatch_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Slurm(["hf-fewshot"], options=options)


def test_a_password_is_not_written_to_a_script():
    with pytest.raises(ValueError, match="holds a password or a key, which would be written to the script"):
        Slurm(["run", "--method-option", "endpoint=https://me:secret@host/v1"])
