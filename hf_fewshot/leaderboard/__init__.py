"""A static site that ranks systems by their records, whoever made them."""

from hf_fewshot.leaderboard.site import write_site

__all__ = ["write_site"]
