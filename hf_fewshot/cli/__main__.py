"""`python -m hf_fewshot.cli`, for `accelerate launch -m hf_fewshot.cli run ...`."""

import sys

from hf_fewshot.cli.main import main

sys.exit(main())
