#!/bin/sh
# Grows without end.
exec tail /dev/zero
