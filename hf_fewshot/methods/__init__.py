"""Few-shot methods: from a labelled support set to scores of queries."""
