"""Anything that a model can write."""

import json

from hypothesis import strategies as st

TOKENS = ["Anna", "Berg", "met", "Paul", "in", "Paris", ",", "Paris", "'s", "mayor"]

json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
frames = st.fixed_dictionaries({"intent": json_values, "slots": json_values})
pairs = st.lists(st.tuples(st.sampled_from([*TOKENS, "Anna Berg", ""]), st.sampled_from(["person", "?"])))


@st.composite
def outputs(draw):
    """Anything: free text, JSON of any form and of nearly the right one, cut off anywhere, with any escapes."""
    value = draw(st.one_of(st.text(st.characters()), json_values, frames, pairs, st.lists(st.text())))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=draw(st.booleans()))
    return text[draw(st.integers(0, 3)) : draw(st.integers(0, len(text)) | st.none())]
