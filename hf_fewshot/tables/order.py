"""The order of systems in tables: that of the recipes, where they are at hand, else that in which they were begun."""

from collections.abc import Iterable

from hf_fewshot.runs.recipe import Recipe
from hf_fewshot.runs.record import Record


def in_order(records: Iterable[Record], recipes: Iterable[Recipe] = ()) -> list[Record]:
    """Records, system by system.

    A record does not know its recipe. Systems that recipes name come first, in their order. The others follow in the
    order in which their first run of the benchmark was begun: `hf-fewshot run` begins runs in the order of the recipe,
    and a run that is made again later changes nothing where others of its system are older.
    """
    records = list(records)
    rows = [(recipe.benchmark, system) for recipe in recipes for system in recipe.systems]
    places = {row: place for place, row in reversed(list(enumerate(rows)))}
    begun: dict[tuple[str, str], str] = {}
    for record in records:
        row = record.run.benchmark, record.run.system
        begun[row] = min(begun.get(row, record.started), record.started)

    def key(record: Record) -> tuple[int, str]:
        row = record.run.benchmark, record.run.system
        return places.get(row, len(rows)), begun[row]

    return sorted(records, key=key)
