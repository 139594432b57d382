"""The names of splits."""

TRAIN, VALIDATION, TEST = "train", "validation", "test"
