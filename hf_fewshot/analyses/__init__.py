"""What data and predictions show beside scores: tables and charts as plain values."""
