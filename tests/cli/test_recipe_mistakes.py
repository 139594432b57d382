"""A recipe with one mistake of each kind: `hf-fewshot run --dry-run` finds it, and says what it is."""

import pytest

from tests.cli.sound_recipes import RELATIONS, SOUND

IN_THE_FILE = [
    ("benchmark: fewrel", "benchmark: fewrell", "Unknown benchmark 'fewrell'. Did you mean 'fewrel'?"),
    ("benchmark: fewrel", "benchmark: fewrel\nbenchmark: clues", "the key 'benchmark' comes twice in one mapping"),
    ("benchmark: fewrel", "benchmark: [fewrel", "recipe.yaml is no YAML that can be used"),
    ("split: validation", "splits: validation", "The recipe has an unknown 'splits'. Did you mean 'split'?"),
    ("split: validation", "split: validaton", "Unknown split of fewrel 'validaton'. Did you mean 'validation'?"),
    ("split: validation", "split: test", "Unknown split of fewrel 'test'. Known: train, validation."),
    (
        "split: validation",
        "config: wiki\nsplit: validation",
        "Unknown configuration of fewrel 'wiki'. Known: default.",
    ),
    ("n_way: 3", "n_ways: 3", "Unknown option of fewrel 'n_ways'. Did you mean 'n_way'?"),
    ("n_way: 3", "n_way: three", "n_way='three', but this option of fewrel must be a whole number"),
    ("n_way: 3", "n_way: 0", "n_way must be a whole number of at least 1, but is 0."),
    ("n_way: 3, ", "", "n_way=None and shots=1: give both for episodes, none for instances."),
    ("n_way: 3", "n_way: 3, config: default", "Unknown option of fewrel 'config'."),
    ("n_way: 3", "n_way: 3, data_dir: x", "data_dir='x' is no option of fewrel"),
    ("sample: true", "sample: 'yes'", "sample='yes', but this option of fewrel must be true or false."),
    ("n_episodes: 5", "n_episodes: 1000000000000", "Lower n_episodes, n_way, shots or n_query."),
    ("{nota_rate: 0.5}]", "{nota_rat: 0.5}]", "Unknown option of fewrel 'nota_rat'. Did you mean 'nota_rate'?"),
    ("{nota_rate: 0.2}", "{nota_rate: 2}", "nota_rate is a probability between 0 and 1, but is 2."),
    ("{nota_rate: 0.2}", "{nota_rate: 0.2, na_rate: 1}", "nota_rate=0.2 (the paper's probability) and na_rate=1 (the"),
    ("{nota_rate: 0.2}", "{nota_rate: 0.5}", 'settings has {"nota_rate": 0.5} twice. Leave one out.'),
    (
        "{nota_rate: 0.2}",
        "{nota_rate: 0.2, seed: 3}",
        "seed is drawn, and said in data or settings as well. Leave one",
    ),
    ("{seed: [0, 1]}", "{sede: [0, 1]}", "Unknown draw 'sede'. Did you mean 'seed'?"),
    ("{seed: [0, 1]}", "{fold: [1]}", "Unknown option of fewrel 'fold'."),
    ("{seed: [0, 1]}", "{seed: []}", "draws: seed is an empty list: nothing would run."),
    ("{seed: [0, 1]}", "{seed: [-1]}", "seed must be a whole number of at least 0, but is -1."),
    ("seeds: [0, 1]", "seeds: [-1]", "seed=-1, but a seed must be a whole number from 0 to 4294967295."),
    ("seeds: [0, 1]", "seeds: [1, 1]", "seeds has 1 twice. Leave one out."),
    ("seeds: [0, 1]", "seeds: '0'", "The recipe: seeds='0', but this part of it must be a list of whole numbers."),
    ("method: proto", "method: prot", "System 'A': Unknown method 'prot'. Did you mean 'proto'?"),
    ("method: proto", "method: structshot", "Method 'structshot' does not fit fewrel, whose task is relation."),
    ("options: {layers: 2}", "option: {layers: 2}", "System 'A' has an unknown 'option'. Did you mean 'options'?"),
    ("{layers: 2}", "{layrs: 2}", "Unknown option of method 'proto' 'layrs'. Did you mean 'layers'?"),
    ("{layers: 2}", "{layers: two}", "layers='two', but this option of method 'proto' must be a whole number."),
    ("{layers: 2}", "{max_length: 2}", "max_length must be at least 3, but is 2."),
    ("{layers: 2}", "{temperature: -1}", "temperature must be positive, but is -1."),
    ("{layers: 2}", "{representation: words}", "representation='words', but fewrel needs 'markers' or 'mean'"),
    ("{max_steps: 3,", "{max_step: 3,", "Unknown training argument of method 'proto' 'max_step'. Did you mean"),
    (
        "{max_steps: 3,",
        "{max_steps: three,",
        "max_steps='three', but this training argument of method 'proto' must be",
    ),
    ("{max_steps: 3,", "{output_dir: x,", "output_dir is no training argument of method 'proto': the run decides it."),
    ("{max_steps: 3,", "{report_to: wandb,", "training has 'report_to', but a recipe sends nothing to others."),
    (
        "{max_steps: 3,",
        "{learning_rate: -1,",
        "learning_rate=-1, but this training argument of method 'proto' must be",
    ),
    ("{max_steps: 3,", "{num_train_epochs: -1,", "num_train_epochs=-1, but this training argument of method 'proto'"),
    (
        "{max_steps: 3,",
        "{per_device_train_batch_size: 0,",
        "per_device_train_batch_size=0, but this training argument",
    ),
    ("{max_steps: 3,", "{early_stopping_patience: 0,", "early_stopping_patience=0, but this training argument of"),
    ("{max_steps: 3,", "{optim: adamm,", "optim='adamm', but this training argument of method 'proto' must be one of"),
    ("{max_steps: 3,", "{seed: -3,", "seed=-3, but a seed must be a whole number"),
    ("{max_steps: 3,", "{pretraining: {max_steps: 1},", "Unknown training argument of method 'proto' 'pretraining'."),
    ("data: {n_episodes: 4}", "data: {n_episode: 4}", "Unknown option of fewrel 'n_episode'. Did you mean"),
    ("data: {n_episodes: 4}", "data: 4", "data=4, but this option of training must be a mapping."),
    ("validation: {n_episodes: 4}", "validation: {fold: 1}", "Unknown option of fewrel 'fold'."),
    (", validation: {n_episodes: 4}", ", eval_strategy: steps", "eval_strategy='steps', but the training has no val"),
    (
        ", validation: {n_episodes: 4}",
        ", load_best_model_at_end: true",
        "load_best_model_at_end=True, but the training",
    ),
    (", validation: {n_episodes: 4}", ", early_stopping_patience: 1", "early_stopping_patience=1, but the training"),
    ("[{setting: {nota_rate: 0.5}, ", "[{", "An override of system 'A' must have a setting, and options or training."),
    ("{setting: {nota_rate: 0.5}, options: {layers: 1}}", "{setting: {}}", "has neither options nor training."),
    ("{setting: {nota_rate: 0.5}", "{setting: {nota_rate: 0.6}", "is for {'nota_rate': 0.6}, which no setting has."),
    ("{setting: {nota_rate: 0.5}", "{setting: {nota: 0.5}", "is for {'nota': 0.5}, which no setting has. Correct it."),
    (
        "options: {layers: 1}",
        "options: {layrs: 1}",
        "Unknown option of method 'proto' 'layrs'. Did you mean 'layers'?",
    ),
    ("always_none}", "always_none, options: {x: 1}}", "There is no option of method 'always_none', but got x=1."),
    (
        "always_none}",
        "always_none, training: {max_steps: 1}}",
        "Method 'always_none' is not trained, but got a training",
    ),
    ("always_none}", "always_none, model: bert}", "Method 'always_none' needs no model, but got model='bert'."),
    (
        "always_none}",
        "in_context, model: m, options: {format: relatio}}",
        "Unknown prompt format 'relatio'. Did you mean",
    ),
    ("always_none}", "in_context, model: m, options: {format: no.yaml}}", "There is no prompt format at no.yaml."),
    (
        "always_none}",
        "in_context, model: m, options: {format: joint}}",
        "The format is for task 'joint', but fewrel is",
    ),
    (
        "always_none}",
        "in_context, model: m, options: {shuffle_seed: -1}}",
        "seed must be a whole number of at least 0",
    ),
    (
        "always_none}",
        "in_context, model: m, options: {timeout: 3}}",
        "timeout=3 is of an endpoint, but there is none.",
    ),
    (
        "always_none}",
        "in_context, model: m, options: {endpoint: x}}",
        "Expected the URL of the endpoint, such as http",
    ),
    (
        "always_none}",
        "in_context, options: {endpoint: 'http://x', timeout: -1}}",
        "timeout=-1, max_retries=5:",
    ),
    ("always_none}", "in_context, options: {endpoint: 'http://x', prices: [-1, 1]}}", "but none may be negative."),
    (
        "always_none}",
        "in_context, options: {endpoint: 'http://x', chat: true}}",
        "chat=True is for a model of this mach",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), IN_THE_FILE, ids=[new for _, new, _ in IN_THE_FILE])
def test_a_mistake_that_the_recipe_itself_shows_is_found(planned, old, new, message):
    assert old in RELATIONS
    code, printed = planned(RELATIONS.replace(old, new))
    assert code == 2
    assert message in printed


IN_DATA = [
    (
        "RELATIONS",
        "n_way: 3",
        "n_way: 30",
        "fewrel/default, split 'validation': n_way=30, but there are only 10 classes.",
    ),
    ("RELATIONS", "shots: 1", "shots: 60", "only 0 classes have the 63 examples that 60 shots and 3 queries need"),
    (
        "RELATIONS",
        "shots: 1",
        "shots: 1, n_query: 30",
        "only 0 classes have the 91 examples that 1 shots and 90 queries",
    ),
    (
        "RELATIONS",
        "n_way: 3",
        "n_way: 10",
        "None-of-the-above queries need a class beside the n_way=10, but there are",
    ),
    ("RELATIONS", "n_way: 3", "n_way: 3, train_rows: 2", "split 'train': n_way=3, but there are only 2 classes."),
    (
        "RELATIONS",
        "data: {n_episodes: 4}",
        "data: {n_way: 30}",
        "System 'A': fewrel/default, split 'train': n_way=30, but",
    ),
    (
        "RELATIONS",
        "validation: {n_episodes: 4}",
        "validation: {n_way: 20}",
        "split 'validation': n_way=20, but there are",
    ),
    (
        "RELATIONS",
        "{max_steps: 3,",
        "{metric_for_best_model: recal,",
        "Unknown metric_for_best_model 'recal'. Did you mean 'r",
    ),
    ("FOLDS", "fold: [1, 2]", "fold: [1, 6]", "fold=6, but it must be one of 1, 2, 3, 4, 5."),
    ("FOLDS", "shots: 10", "shots: 11", "shots=11, but it must be one of 0, 10, 20, 30."),
    ("FOLDS", "shots: 10", "all_rows: true", "fold=2 has no effect with all_rows, which has one training set."),
    ("FOLDS", "config: sst2\n", "", "clues has several configurations; choose one"),
    ("FOLDS", "config: sst2", "config: sst2\nsplit: train", "split='train', but clues is evaluated on its test rows"),
    ("FOLDS", "config: sst2", "config: squad", "System 'Cloze': Unknown template 'squad'. Known: mnli"),
    (
        "FOLDS",
        "validation: {fold: 5}",
        "validation: {fold: 2}",
        "fold=2 is trained on and cannot be the validation set",
    ),
    ("FOLDS", "validation: {fold: 5}", "validation: {shots: 20}", "is validated on another fold, such as"),
    ("FOLDS", "stride: 20", "stride: 200", "stride=200, but it must be less than max_length=100."),
    ("FOLDS", "stride: 20", "stride: 20, head: both", "head='both', but it must be one of 'single', 'set'."),
    ("FOLDS", "training: {max_length: 100}", "options: {file: no.yaml}", "System 'Cloze': no.yaml: No such file"),
    (
        "FOLDS",
        "training: {max_length: 100}",
        "options: {template: sst3}",
        "Unknown template 'sst3'. Did you mean 'sst2'?",
    ),
    (
        "FOLDS",
        "training: {max_length: 100}",
        "training: {n_draws: 0}",
        "n_draws=0, but this training argument of method",
    ),
    (
        "FOLDS",
        "training: {max_length: 100}",
        "training: {validation: {fold: 3}}",
        "of method 'prompt_tuning' 'validation'",
    ),
    ("JOINT", "shots: 1", "shots: 2", "shots=2 was not released for FewJoint 1.1; released: 1, 3, 5, 10."),
    (
        "JOINT",
        "shots: 1",
        "shots: 900, episodes: sampled",
        "No group has min_group_size=1 examples",
    ),
    (
        "JOINT",
        "shots: 1",
        "shots: 1, episodes: sampled, n_query: 900",
        "System 'A': fewjoint/episodes, split 'train': n_q",
    ),
    ("JOINT", "{max_steps: 1,", "{fresh_episodes: true,", "fresh_episodes=True, but the training episodes are given"),
    (
        "JOINT",
        "joint_proto,",
        "joint_proto, options: {pairwise: true},",
        "Pre-training on single utterances needs pairwise",
    ),
    ("JOINT", "{steps: 2}", "{step: 2}", "Unknown option of tuning 'step'. Did you mean 'steps'?"),
    ("JOINT", "{steps: 2}", "{steps: 0}", "steps must be at least 1, but is 0."),
    ("JOINT", "{steps: 2}", "{ensemble: true, objective: prototypes}", 'ensemble=True needs objective="heads"'),
    (
        "JOINT",
        "pretraining: {max_steps: 1}",
        "pretraining: {max_stps: 1}",
        "of method 'joint_proto' 'max_stps'. Did you",
    ),
    ("TYPES", "n_way: 5", "n_way: 12", "few_nerd/inter, split 'test': n_way=12, but there are only 8 types."),
    ("TYPES", "shots: 1", "shots: 50", "only 0 types have the 100 entities that 50 shots and 50 queries need"),
    ("TYPES", "n_episodes: 5", "episodes: released", "the sample data does not hold data/episode-data/inter/"),
    (
        "TYPES",
        "n_way: 5, shots: 1, n_episodes: 5",
        "episodes: sampled",
        "episodes='sampled' has no effect on sentences",
    ),
    ("TYPES", "config: inter", "config: supervised", "few_nerd/supervised has no episodes."),
    ("TAGGER", "validation: {}", "validation: {n_way: 2}", "is validated on all examples of the validation split"),
    (
        "TAGGER",
        "validation: {}",
        "max_length: 0",
        "max_length=0, but this training argument of method 'tagger' must be",
    ),
    ("TAGGER", "method: tagger,", "method: structshot,", "makes no episodes with these options."),
]


@pytest.mark.parametrize(("recipe", "old", "new", "message"), IN_DATA, ids=[f"{one[0]}: {one[2]}" for one in IN_DATA])
def test_a_request_that_no_data_can_serve_is_found(planned, recipe, old, new, message):
    assert old in SOUND[recipe]
    code, printed = planned(SOUND[recipe].replace(old, new))
    assert code == 2
    assert message in printed


IN_MODELS = [
    ("RELATIONS", "model: ENCODER\n", "", "Method 'proto' needs a model. Give model=..., a Hub id or a folder."),
    ("RELATIONS", "ENCODER", "all-MiniLM-L6-v3", "Unknown model 'all-MiniLM-L6-v3'. Did you mean 'all-MiniLM-L6-v2'?"),
    (
        "RELATIONS",
        "ENCODER",
        "ENCODERR",
        "R' is no folder that is there. Give the folder of a model, with its config.json",
    ),
    ("RELATIONS", "ENCODER", "./models/bert", "model='./models/bert' is no folder that is there."),
    ("RELATIONS", "ENCODER", ".", "The folder model='.' has no config.json, so it is not that of a model."),
    (
        "RELATIONS",
        "ENCODER",
        "bert base",
        "model='bert base' is no folder here, and no name that a model of the Hub can",
    ),
    ("RELATIONS", "{layers: 2}", "{layers: 20}", "layers=20, but the encoder has 2 layers to add up."),
    ("RELATIONS", "{layers: 2}", "{max_length: 1000}", "max_length=1000, but the model has 130 positions."),
    (
        "FOLDS",
        "max_length: 100, stride",
        "max_length: 384, stride",
        "max_length=384, but the model has 130 positions.",
    ),
    ("FOLDS", "training: {max_length: 100}", "training: {}", "max_length=512, but the model has"),
    ("FOLDS", "MASKED", "ENCODER", "It was saved as a BertModel, without a masked-language-model head."),
    ("FOLDS", "MASKED", "T5", "It is a model of type 't5', but a masked language model is needed."),
    ("FOLDS", "model: T5", "model: MASKED", "It is a model of type 'bert', but a model that writes text from text"),
    ("FOLDS", "LLAMA", "T5", "It is a model of type 't5', but a causal language model is needed."),
    (
        "FOLDS",
        "LLAMA",
        "MASKED",
        "A model of type 'bert' that is no decoder is an encoder, but a causal language model",
    ),
    ("JOINT", "unfreezing_groups: 2", "unfreezing_groups: 20", "unfreezing_groups=20, but the encoder has 2 layers."),
    ("TAGGER", "max_steps: 1", "max_length: 1000", "max_length=1000, but the model has 130 positions."),
]


@pytest.mark.parametrize(
    ("recipe", "old", "new", "message"), IN_MODELS, ids=[f"{one[0]}: {one[2]}" for one in IN_MODELS]
)
def test_a_model_that_is_not_there_or_cannot_do_it_is_found(planned, recipe, old, new, message):
    assert old in SOUND[recipe]
    code, printed = planned(SOUND[recipe].replace(old, new))
    assert code == 2
    assert message in printed


@pytest.mark.parametrize(
    ("recipe", "old", "new", "message"),
    [
        (
            "RELATIONS",
            "max_steps: 3",
            "eval_steps: 7, save_steps: 10",
            "a round multiple of the evaluation steps, but",
        ),
        (
            "RELATIONS",
            "max_steps: 3",
            "eval_strategy: steps, save_strategy: epoch",
            "the save and eval strategy to match",
        ),
        ("RELATIONS", "max_steps: 3", "remove_unused_columns: true", "remove_unused_columns must stay False"),
        (
            "RELATIONS",
            "proto\n    options: {layers: 2}\n    training: {max_steps: 3",
            "mnav\n    options: {layers: 2}\n    training: {fp16: true, head_l2: 0.1",
            "head_l2 needs the true gradients",
        ),
        ("RELATIONS", "max_steps: 3", "head_l2: 0.1", "is for a method's own parameters, but 'proto' has none"),
        ("TAGGER", "max_steps: 1", "logging_steps: 0", "requires either non-zero --eval_steps or --logging_steps"),
        (
            "JOINT",
            "pretraining: {max_steps: 1}",
            "pretraining: {fp16: true, bf16: true}",
            "At most one of fp16 and bf16",
        ),
    ],
)
def test_training_arguments_that_contradict_each_other_are_found(planned, recipe, old, new, message):
    code, printed = planned(SOUND[recipe].replace(old, new))
    assert code == 2
    assert message in printed
