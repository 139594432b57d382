"""Recipes in which nothing is wrong; ENCODER and the like stand for folders of tiny models."""

RELATIONS = """\
benchmark: fewrel
split: validation
model: ENCODER
data: {sample: true, n_way: 3, shots: 1, n_episodes: 5}
settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]
draws: {seed: [0, 1]}
seeds: [0, 1]
systems:
  A:
    method: proto
    options: {layers: 2}
    training: {max_steps: 3, data: {n_episodes: 4}, validation: {n_episodes: 4}}
    overrides: [{setting: {nota_rate: 0.5}, options: {layers: 1}}]
  None: {method: always_none}
"""
FOLDS = """\
benchmark: clues
config: sst2
model: ENCODER
data: {sample: true, shots: 10}
draws: {fold: [1, 2]}
systems:
  A:
    method: span_finetuning
    options: {max_length: 100, stride: 20}
    training: {num_train_epochs: 2, validation: {fold: 5}}
  Cloze: {method: prompt_tuning, model: MASKED, training: {max_length: 100}}
  Text: {method: text_to_text, model: T5}
  Context: {method: in_context, model: LLAMA, options: {calibration: content_free}}
  Adapter: {method: lm_tuning, model: LLAMA, options: {lora: {rank: 2}}, training: {num_train_epochs: 1}}
"""
JOINT = """\
benchmark: fewjoint
model: ENCODER
data: {sample: true, shots: 1}
systems:
  A: {method: joint_proto, training: {max_steps: 1, pretraining: {max_steps: 1}, unfreezing_groups: 2}}
  Separate: {method: sep_proto, options: {tuning: {steps: 2}}}
"""
TYPES = """\
benchmark: few_nerd
config: inter
model: ENCODER
data: {sample: true, n_way: 5, shots: 1, n_episodes: 5}
systems:
  A: {method: structshot, options: {tau: 0.3}}
"""
TAGGER = """\
benchmark: few_nerd
config: supervised
model: ENCODER
data: {sample: true}
systems:
  A: {method: tagger, training: {max_steps: 1, validation: {}}}
"""
BASELINE = """\
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 5}
systems:
  None: {method: always_none}
"""
SOUND = {"RELATIONS": RELATIONS, "FOLDS": FOLDS, "JOINT": JOINT, "TYPES": TYPES, "TAGGER": TAGGER}
