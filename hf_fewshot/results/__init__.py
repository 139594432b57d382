"""What was asked for and what came out of it, on disk: runs, records, folders of records."""
