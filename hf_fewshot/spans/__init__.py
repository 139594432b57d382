"""Span extraction: question and context to a set of answer spans, one head for every task of CLUES."""
