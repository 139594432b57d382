"""A method of your own beside a built-in one: registered, run frozen and trained, compared on the same episodes.

    python examples/own_method.py --output results/own
    python examples/own_method.py --data-dir FewRel --model bert-base-uncased --steps 1000 --output results/own

Without options: sample data of this project and an encoder inside a pip package. `docs/own_method.md` explains it.
"""

import argparse

import torch
from torch.nn import functional

from hf_fewshot import Run, compare, execute
from hf_fewshot.methods.method import Method
from hf_fewshot.methods.prototypes import prototypes
from hf_fewshot.registry import register_method
from hf_fewshot.tables import markdown_tables


class CosinePrototypes(Method):
    """Score of a class: the cosine of the query and its prototype, times a learned factor."""

    def __init__(self, dim: int, *, scale: float = 10.0) -> None:
        super().__init__(dim)
        self.log_scale = torch.nn.Parameter(torch.tensor(scale).log())

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        means, present = prototypes(support, labels, n_classes)
        cosines = functional.normalize(query, dim=-1) @ functional.normalize(means, dim=-1).transpose(1, 2)
        return (self.log_scale.exp() * cosines).masked_fill(~present.unsqueeze(1), -torch.inf)


register_method("cosine", f"{__name__}:CosinePrototypes", tasks=("tagging", "relation", "classification"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", help="folder with FewRel; default: sample data")
    parser.add_argument("--model", default="all-MiniLM-L6-v2", help="an encoder: Hub id, folder or embedded model")
    parser.add_argument("--n-episodes", type=int, default=20)
    parser.add_argument("--steps", type=int, default=5, help="of training, two episodes each")
    parser.add_argument("--output", required=True, help="folder of results")
    options = parser.parse_args()

    source = {"data_dir": options.data_dir} if options.data_dir else None
    data = {"n_way": 5, "shots": 1, "n_episodes": options.n_episodes} | ({} if source else {"sample": True})
    training = {"max_steps": options.steps, "per_device_train_batch_size": 2}
    records = {}
    for name, method, how in (("proto", "proto", None), ("cosine", "cosine", None), ("trained", "cosine", training)):
        run = Run("fewrel", method, data=data, split="validation", system=name, model=options.model, training=how)
        records[name] = execute(run, options.output, source=source, progress=False)
    print(markdown_tables(list(records.values())))
    found = compare([records["trained"]], [records["cosine"]])
    print(f"training adds {100 * found.difference:.1f} points of {found.measure} (p = {found.p_permutation:.3f})")


if __name__ == "__main__":
    main()
