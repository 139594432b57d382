"""Published numbers as data, with their sources: one YAML file per benchmark."""

from hf_fewshot.published.matching import published_beside, published_scores
from hf_fewshot.published.score import PublishedError, PublishedScore
from hf_fewshot.published.tables import read_published

__all__ = ["PublishedError", "PublishedScore", "published_beside", "published_scores", "read_published"]
