"""What is asked for and what came out: runs, records, predictions, recipes."""
