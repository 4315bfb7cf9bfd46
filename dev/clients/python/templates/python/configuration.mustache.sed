# The module for processes is large, and only counts processors here.
s/^import multiprocessing$/import os/
s/multiprocessing\.cpu_count()/(os.cpu_count() or 1)/
