"""People as a system: a study in which they answer episodes on a page, and the records of what they answered."""
