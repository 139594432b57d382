"""Cards of models and datasets: data, made from records and options, and templates that show it."""
