"""`hf-fewshot serve` with a learner that loads nothing."""

import sys

import hf_fewshot
from hf_fewshot.cli import main
from tests.fake_learner import FakeLearner

hf_fewshot.FewShotLearner = FakeLearner
sys.exit(main(["serve", *sys.argv[1:]]))
