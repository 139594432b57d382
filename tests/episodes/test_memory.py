import pytest
from datasets import Dataset

from hf_fewshot import make_episodes
from hf_fewshot.episodes import memory
from hf_fewshot.episodes.memory import require_memory
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.tasks.schemas import example_features


@pytest.fixture(autouse=True)
def _a_machine_with_four_gigabytes(monkeypatch):
    monkeypatch.setattr(memory, "physical_memory", lambda: 4 << 30)


def test_the_largest_released_sets_fit():
    require_memory(20_000, 10, 5, 5)  # Few-NERD, training
    require_memory(10_000, 5, 5, 3)  # Few-Shot TACRED, test


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (
            (10**12, 5, 1, 1),
            "1000000000000 episodes of about 10 examples take about 909 TB of memory, and this machine has about 4 "
            "GB. Lower n_episodes, n_way, shots or n_query.",
        ),
        ((10_000, 5, 1, 10**9), "10000 episodes of about 5000000005 examples take about 2 PB of memory"),
        ((1, None, 10**9, None), "1 episodes of about 2000000000 examples take about 93 GB of memory"),
        ((10**400, 5, 1, 1), r"10\^400 episodes of about 10 examples take more than any machine has"),
    ],
)
def test_what_no_memory_holds_is_refused_before_it_is_made(sizes, message):
    with pytest.raises(ValueError, match=message):
        require_memory(*sizes)


def test_sampling_asks_first():
    rows = [{"id": str(i), "text": "t", "label": "ab"[i % 2]} for i in range(8)]
    examples = Dataset.from_list(rows, features=example_features("classification"))
    with pytest.raises(ValueError, match="of memory, and this machine has about 4 GB"):
        make_episodes(examples, NWayKShot(2, 1), task="classification", length=10**12)
