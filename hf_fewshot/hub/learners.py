"""Learners to model repositories."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hf_fewshot.hub.gathered import gather
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.upload import Push, Upload

if TYPE_CHECKING:
    from hf_fewshot.learning.learner import FewShotLearner


def push_learner(
    learner: "FewShotLearner",
    repo_id: str,
    *,
    examples: bool = True,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
    license: str | None = None,
) -> Push:
    """Uploads a fitted learner with its card, in one commit.

    Args:
        learner: what `FewShotLearner.from_pretrained(repo_id)` gives back.
        repo_id: such as "user/model"; made if it is not there.
        examples: upload the labelled examples, too; without them nothing can be added to it.
        private: whether a new repository is private; a public one is only written to with `private=False`.
        dry_run: upload nothing, and return (and log) what would be.
        token: of the Hub; None: the saved one.
        overwrite: replace files that were not written by a push of ours.
        license: of the model.
    """
    from hf_fewshot.cards.learner_card import learner_card  # it takes torch, and other pushes do without

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "learner"
        learner.save_pretrained(folder, examples=examples)
        files: dict[str, Content] = dict(gather(folder).files)
        files["README.md"] = str(learner_card(learner, repo_id, license, examples)).encode()
        upload = Upload(repo_id, "model", files, "Upload a learner with hf_fewshot", private)
        return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)
