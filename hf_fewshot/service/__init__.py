"""A fitted learner over HTTP; the only place that knows of FastAPI and uvicorn, which the extra `serve` installs."""
