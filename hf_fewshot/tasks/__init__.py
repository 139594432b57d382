"""What examples, references, scores and answers in words look like, one file per task."""

from hf_fewshot.tasks.known import task_of, usable_tasks
from hf_fewshot.tasks.task import Task

__all__ = ["Task", "task_of", "usable_tasks"]
