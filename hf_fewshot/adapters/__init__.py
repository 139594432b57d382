"""Language models that learn answers: LoRA adapters on the prompts of a support set, loss on the answers alone."""
