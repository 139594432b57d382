"""Plays somebody who sees the project for the first time: `make newcomer`."""
