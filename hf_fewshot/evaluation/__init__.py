"""Runs methods over episode sets, and scores what they predict."""
