"""Prompt-based classification: templates with a mask, verbalizers and demonstrations for masked language models."""
