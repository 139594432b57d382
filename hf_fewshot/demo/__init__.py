"""A page on which people try a model on their own few examples; the only place that knows gradio."""

import os

# Gradio reads it when it is imported: no word to its makers.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
