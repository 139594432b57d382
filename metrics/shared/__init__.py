"""Code that several metric folders share: each of them links to the files it needs."""
