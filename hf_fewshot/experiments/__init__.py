"""From a run to its record: data, systems, recipes."""
