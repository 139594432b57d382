"""One folder per benchmark: its `datasets` builder, dataset card and sample-data generator."""
