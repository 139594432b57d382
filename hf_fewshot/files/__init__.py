"""Files: fetched, unpacked, read strictly, and written so that they appear when they are whole."""
