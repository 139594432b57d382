"""Speed and memory of the joint methods: pair-wise against separate encoding, and tuning on support sets.

    python benchmarks/joint.py --data-dir FewShotJoint

Each way runs in a process of its own, one after the other, on the same episodes of FewJoint's test split, 1 shot;
without --data-dir on our sample data.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import torch
from measurement import Measurement, write

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel, read_episodes

N_QUERIES = 20
STEPS = 5


def episodes_of(data_dir: str | None) -> Any:
    """Test episodes with few queries: the plain ways are slow."""
    source = {"data_dir": data_dir} if data_dir else {"sample": True}
    whole = hf_fewshot.load_episodes("fewjoint", split="test", shots=1, **source)
    short = [Episode(e.classes, e.support, e.query[:N_QUERIES], e.group) for e in whole]
    return hf_fewshot.EpisodeSet("joint", whole.examples, short.__getitem__, len(short))


def encoding(episodes: Any, pairwise: bool) -> Callable[[], None]:
    """Predicts all episodes without tuning."""
    encoder = embedded_encoder("m3e-small")
    model, tokenizer = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto", pairwise=pairwise)
    return lambda: hf_fewshot.predict(hf_fewshot.EpisodicSystem(model, tokenizer), episodes, progress=False)


def tuning(episodes: Any) -> Callable[[], None]:
    """Tunes on and predicts every episode, as the library does."""
    encoder = embedded_encoder("m3e-small")
    model, tokenizer = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto")
    options = hf_fewshot.SupportTuning(steps=STEPS)
    system = hf_fewshot.EpisodicSystem(model, tokenizer, tuning=options)
    return lambda: hf_fewshot.predict(system, episodes, progress=False)


def plain_tuning(episodes: Any) -> Callable[[], None]:
    """The same number of steps, with a copy of the model on disk per episode and one sentence at a time."""
    encoder = embedded_encoder("m3e-small")
    model, tokenizer = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto")

    def run() -> None:
        for number, episode in enumerate(episodes):
            with tempfile.TemporaryDirectory() as folder:
                model.save_pretrained(folder)
                own = JointModel.from_pretrained(folder).train()
            optimizer = torch.optim.AdamW(own.parameters(), lr=5e-5)
            collate = JointCollator(own, tokenizer, episodes)
            heads = torch.nn.ModuleList([torch.nn.Linear(own.method.dim, n) for n in (50, 100)])
            for _ in range(STEPS):
                optimizer.zero_grad()
                for sentence in episode.support:
                    inputs, one = collate.read([Episode(episode.classes, (sentence,), (sentence,), episode.group)])
                    _, query, _ = read_episodes(own.encode(inputs), one)
                    loss = torch.nn.functional.cross_entropy(
                        heads[0](query.means).flatten(0, 1), query.intents.flatten()
                    )
                    words = heads[1](query.words).flatten(0, 2)
                    (loss + torch.nn.functional.cross_entropy(words, query.tags.flatten())).backward()
                optimizer.step()
            one = hf_fewshot.EpisodeSet("joint", episodes.examples, lambda _, n=number: episodes[n], 1)
            system = hf_fewshot.EpisodicSystem(own.eval(), tokenizer, encode_once=False)
            hf_fewshot.predict(system, one, progress=False)

    return run


WAYS: dict[str, Callable[[Any], Callable[[], None]]] = {
    "separate encoding": lambda episodes: encoding(episodes, pairwise=False),
    "pair-wise encoding": lambda episodes: encoding(episodes, pairwise=True),
    "tuning, whole support set per step": tuning,
    "tuning, one sentence at a time, model on disk": plain_tuning,
}


def measure(way: str, data_dir: str | None) -> dict[str, float]:
    """Seconds per episode and the peak of resident memory above what the model and the data took."""
    torch.set_num_threads(1)
    episodes = episodes_of(data_dir)
    run = WAYS[way](episodes)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    run()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds / len(episodes), "peak": peak / 1024, "added": (peak - before) / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir")
    parser.add_argument("--way", choices=WAYS, help="measure one way in this process")
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measure(options.way, options.data_dir)))
        return
    found = {}
    for way in WAYS:
        command = [sys.executable, __file__, "--way", way]
        command += ["--data-dir", options.data_dir] if options.data_dir else []
        found[way] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(f"{way}: {found[way]['seconds']:.2f} s an episode", flush=True)
    rows = []
    for ours, peer in (list(WAYS)[:2], list(WAYS)[2:]):
        ratios = {"the other way": found[peer]["seconds"] / found[ours]["seconds"]}
        for way in (ours, peer):
            own = found[way]
            rows += [
                Measurement(way, "CPU of an episode", own["seconds"], "s", ratios=ratios if way == ours else {}),
                Measurement(way, "peak memory", own["peak"], "MB"),
                Measurement(way, "of it while predicting", own["added"], "MB"),
            ]
    write("joint", rows)


if __name__ == "__main__":
    main()
