"""Encoders with a few-shot method on top, as ordinary `transformers` models."""
