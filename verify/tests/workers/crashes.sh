#!/bin/sh
# Crashes, as a solver may.
kill -SEGV $$
