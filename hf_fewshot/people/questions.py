"""The episodes of a study as forms, and what is right of those that may be shown."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.references import has_none_of_the_above
from hf_fewshot.people.annotator import Question
from hf_fewshot.people.assignment import ANNOTATION, TRAINING
from hf_fewshot.tasks.form import Answer, Form, check_answer
from hf_fewshot.tasks.labels import NOTA

KEPT = 64  # episodes that are looked at again and again
NONE_OF_THE_ABOVE = "none of the above"


class Questions:
    """What is asked about the examples of an episode set.

    Args:
        episodes: those of the study.
    """

    def __init__(self, episodes: EpisodeSet) -> None:
        self.episodes = episodes
        self.task = episodes.kind
        self.scored_by = self.task.scored_by(episodes.examples)
        self._words = lru_cache(maxsize=KEPT)(self._label_words)
        self.right_predictions = lru_cache(maxsize=KEPT)(self._right_predictions)

    def form(self, question: Question) -> Form:
        """What is asked."""
        example, episode = self._of(question)
        return self.task.form(example, episode.classes, self._words(question.episode))

    def first_form(self) -> Form:
        """That of the first query; TypeError where the task has none."""
        return self.form(Question(0, ANNOTATION, 0))

    def right(self, question: Question) -> Answer:
        """The right answer to a support example. Nobody sees that of a query."""
        prediction = self.right_predictions(question.episode)[question.place]
        example, episode = self._of(question)
        if question.step != TRAINING:
            raise ValueError(f"{question} is none of the support set, and nobody may see what is right of it.")
        return self.task.answered(prediction, example, episode.classes, **self.scored_by)

    def is_right(self, question: Question, answer: Answer) -> bool:
        """Whether an answer to a support example says what is right."""
        right = self.right_predictions(question.episode)[question.place]
        return self.task.is_same(self.prediction(question, answer), right)

    def prediction(self, question: Question, answer: Answer) -> Any:
        """An answer as a prediction; FormError if the form cannot be filled so."""
        check_answer(self.form(question), answer)
        example, episode = self._of(question)
        return self.task.filled(answer, example, episode.classes, **self.scored_by)

    def answer(self, question: Question, prediction: Any) -> Answer:
        """The form filled with a prediction; FormError where nobody can fill it so."""
        example, episode = self._of(question)
        answer = self.task.answered(prediction, example, episode.classes, **self.scored_by)
        check_answer(self.form(question), answer)
        return answer

    def _right_predictions(self, number: int) -> list[Any]:
        """What is right of the support examples of an episode, in the form of predictions."""
        episode = self.episodes[number]
        asked = Episode(episode.classes, (), episode.support, episode.group)
        return next(iter(self.task.references(self.episodes.examples, [asked])))

    def score(self, predictions: list[Any], others: list[Any], episodes: list[int]) -> dict[str, Any]:
        """All scores of predictions against what is right, or against those of somebody else.

        Args:
            episodes: of each.
        """
        return self.task.score(predictions, others, episodes, **self.scored_by)

    def told(self, number: int) -> dict[str, str]:
        """What a description may say of an episode."""
        episode = self.episodes[number]
        return self.task.describe(episode.classes, episode.group, self._words(number))

    def _of(self, question: Question) -> tuple[Mapping[str, Any], Episode]:
        episode = self.episodes[question.episode]
        rows = episode.support if question.step == TRAINING else episode.query
        return self.episodes.plain_examples[rows[question.place]], episode

    @cached_property
    def _nota(self) -> str | None:
        return NONE_OF_THE_ABOVE if has_none_of_the_above(self.episodes) else None

    def _label_words(self, number: int) -> dict[str, str]:
        """The words of labels; where two have one word, with the labels themselves."""
        episode = self.episodes[number]
        support = [self.episodes.plain_examples[row] for row in episode.support]
        words = self.task.label_words({}, episode.classes, support, self._nota) or {}
        shown = list(words.values())
        return {
            label: word if shown.count(word) == 1 or label == NOTA else f"{word} ({label})"
            for label, word in words.items()
        }
