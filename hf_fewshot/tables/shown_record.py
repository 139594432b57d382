"""A record as it may be shown: those of earlier versions can hold a password in an address."""

from dataclasses import replace

from hf_fewshot.runs.record import Record
from hf_fewshot.text.redaction import redacted, redacted_values


def shown_record(record: Record) -> Record:
    """The record without secrets; its run keeps its name."""
    environment = redacted_values(record.environment)
    return replace(record, run=record.run.shown, environment=environment, command=redacted(record.command))
