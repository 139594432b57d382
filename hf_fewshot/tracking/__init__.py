"""Runs as experiment trackers show them: learning curves and scores."""
