"""Trainers of few-shot methods: subclasses of `transformers.Trainer`, each beside its arguments."""
