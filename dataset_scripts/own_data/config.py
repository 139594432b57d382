"""Options of data of one's own."""

from dataclasses import dataclass
from typing import ClassVar, get_args

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.class_split import SHARES, require_shares
from hf_fewshot.episodes.minimum_including import MinimumIncluding, Scarce
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.options import require_draw, require_seed
from hf_fewshot.episodes.sampling import Spec
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA

ALL_CLASSES, NEW_CLASSES = "all_classes", "new_classes"
OF_ALL = ("draw", "scarce", "test_data")
OF_NEW = ("n_way", "n_query", "n_episodes", "nota_rate", "shares", "split_seed")


@dataclass
class OwnDataConfig(FewShotConfig):
    """Options of your own data. With `shots` a row is an episode, else an example.

    Args:
        dataset: what the data is called in tables and reports.
        columns: names of the columns in the file that differ from the task's, such as `{"label": "category"}`.
        protocol: "all_classes": your labels stay as they are, some examples of each are learnt from, the rest is
            asked; "new_classes": classes of training, validation and test are disjoint, as in the benchmarks.
        shots: examples of each class to learn from.
        other: the class that means "none of them"; it becomes NOTA.
        draw: with all classes, the number of the draw of examples to learn from.
        scarce: with all classes, what to do with classes of too few examples: "error", "skip" them, or learn from
            "fewer".
        test_data: with all classes, where a test set of its own is; a place as `data_dir`.
        n_way: with new classes, how many an episode has.
        n_query: with new classes, queries per class; None: one, of entities as many as shots, of utterances all.
        nota_rate: with new classes of one label, the probability that a query is of none of the episode's classes.
        shares: with new classes, the shares of classes for training, validation and test.
        split_seed: with new classes, of their split; another one gives other test classes.
    """

    TASK: ClassVar[str]
    N_EPISODES: ClassVar = 500
    PLACES: ClassVar = ("data_dir", "test_data")

    dataset: str | None = None
    columns: dict[str, str | int] | None = None
    protocol: str = ALL_CLASSES
    shots: int | None = None
    other: str | None = None
    draw: int = 0
    scarce: str = "error"
    test_data: str | None = None
    n_way: int | None = None
    n_query: int | None = None
    nota_rate: float | None = None
    shares: tuple[float, float, float] = SHARES
    split_seed: int = 0

    @property
    def makes_episodes(self) -> bool:
        return self.shots is not None

    @property
    def keeps_classes(self) -> bool:
        """Whether all classes are learnt and asked."""
        return self.protocol == ALL_CLASSES

    @property
    def has_ways(self) -> bool:
        """Whether classes are drawn for an episode; else a domain brings its own."""
        return len(task_of(self.TASK).class_columns) == 1

    def check(self) -> None:
        super().check()
        self.require("protocol", ALL_CLASSES, NEW_CLASSES)
        self.require("scarce", *get_args(Scarce))
        require_draw(self.draw)
        require_seed(self.split_seed)
        require_shares(self.shares)
        if self.sample:
            self.refuse_unused("on sample data", "test_data", "columns")
        unused, other = (OF_NEW, NEW_CLASSES) if self.keeps_classes else (OF_ALL, ALL_CLASSES)
        self.refuse_unused(f"with protocol={self.protocol!r}; it belongs to {other!r}", *unused)
        if any(column.is_tags for column in task_of(self.TASK).class_columns):
            self.refuse_unused("where examples hold several classes", "other", "nota_rate")
        if not self.makes_episodes:
            self.refuse_unused("on examples: give shots", "seed", "draw", "scarce", "n_way", "n_query", "n_episodes")
            self.refuse_unused("on examples: give shots", "nota_rate")
        elif not self.keeps_classes:
            self.spec()

    def spec(self) -> Spec:
        """How episodes of new classes are sampled."""
        shots = self.shots or 0
        if not self.has_ways:
            self.refuse_unused("where a domain brings its classes", "n_way")
            return MinimumIncluding(shots, self.n_query, scarce="skip")
        if self.n_way is None:
            raise ValueError(
                f"shots={shots} with protocol={NEW_CLASSES!r}, but how many classes has an episode? Say n_way."
            )
        if task_of(self.TASK).class_columns[0].is_tags:
            return NWayK2K(self.n_way, shots, self.n_query)
        nota = NOTA if self.other is not None else None
        return NWayKShot(self.n_way, shots, self.n_query or 1, self.nota_rate, nota_class=nota)
