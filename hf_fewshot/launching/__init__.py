"""Runs as jobs of a cluster: planned, submitted, looked after."""
