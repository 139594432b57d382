"""Episodes: what they are, how they are sampled, stored, compared and checked."""
