"""The server of llama.cpp, until it is killed. Arguments: a GGUF file, a port."""

import sys
import time

import xllamacpp


def main() -> None:
    options = xllamacpp.CommonParams()
    options.model.path = sys.argv[1]
    options.port = int(sys.argv[2])
    options.n_ctx = 8192
    options.n_parallel = 2
    options.cpuparams.n_threads = 1
    server = xllamacpp.Server(options)  # noqa: F841 - it serves as long as it is there
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
