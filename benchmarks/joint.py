"""Speed and memory of the joint methods: pair-wise against separate encoding, and tuning on support sets.

    python benchmarks/joint.py --data-dir FewShotJoint

Each way runs in a process of its own, one after the other, several times, on the same episodes of FewJoint's test
split, 1 shot, 20 queries each; without --data-dir on our sample data. CPU time, one thread.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from measurement import Measurement, measured, ratio, write

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel, read_episodes

N_QUERIES = 20
STEPS = 5


def episodes_of(data_dir: str | None, n_episodes: int) -> Any:
    """Some test episodes with few queries: the plain ways are slow."""
    source = {"data_dir": data_dir} if data_dir else {"sample": True}
    whole = hf_fewshot.load_episodes("fewjoint", split="test", shots=1, **source)
    short = [Episode(e.classes, e.support, e.query[:N_QUERIES], e.group) for e in list(whole)[:n_episodes]]
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


def measure(way: str, data_dir: str | None, n_episodes: int, repeats: int) -> dict[str, Any]:
    """Seconds per episode of each turn, and the peak of resident memory above what the model and the data took."""
    torch.set_num_threads(1)
    episodes = episodes_of(data_dir, n_episodes)
    run = WAYS[way](episodes)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        seconds.append((time.process_time() - start) / len(episodes))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "peak": peak / 1024, "added": (peak - before) / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir")
    parser.add_argument("--episodes", type=int, default=4, help="how many of them, at most (default: 4)")
    parser.add_argument("--repeats", type=int, default=3, help="how often each way (default: 3)")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measure(options.way, options.data_dir, options.episodes, options.repeats)))
        return
    found = {}
    for way in WAYS:
        command = [sys.executable, __file__, "--way", way]
        command += ["--episodes", str(options.episodes), "--repeats", str(options.repeats)]
        command += ["--data-dir", options.data_dir] if options.data_dir else []
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        found[way] = json.loads(output.splitlines()[-1])
        print(f"{way}: {min(found[way]['seconds']):.2f} s an episode", flush=True)
    rows = []
    for ours, peer in (list(WAYS)[:2], list(WAYS)[2:]):
        ratios = {"the other way": ratio(found[peer]["seconds"], found[ours]["seconds"])}
        for way in (ours, peer):
            own = found[way]
            rows += [
                measured(way, "CPU of an episode", own["seconds"], "s", ratios if way == ours else {}),
                Measurement(way, "peak memory", own["peak"], "MB"),
                Measurement(way, "of it while predicting", own["added"], "MB"),
            ]
    write("joint", rows, remark=f"{options.episodes} episodes")


if __name__ == "__main__":
    main()
