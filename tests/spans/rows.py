"""A row whose answers are spans."""

NAMES = {"id": "n", "question": "list people", "context": ["anna lives in paris . tom works at acme corp"]}
