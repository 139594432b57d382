"""Labelled data of one's own: lists, tables and files as rows of a task; texts as words."""
