"""A record as it may be shown: those of earlier versions can hold a password in an address."""

from dataclasses import replace

from hf_fewshot.redaction import redacted, redacted_values
from hf_fewshot.results.record import Record


def shown_record(record: Record) -> Record:
    """The record without secrets; its run keeps its name."""
    environment = redacted_values(record.environment)
    return replace(record, run=record.run.shown, environment=environment, command=redacted(record.command))
