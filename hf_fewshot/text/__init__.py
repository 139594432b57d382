"""Text of strangers made safe to show; secrets taken out of it; values in messages."""
