# SPDX-License-Identifier: MIT
# A bake on a Dask cluster: bake_dask.py SCENE CONTACTS. Every node needs the wheel of lanefold and sees both folders.
import sys

import dask.distributed
import lanefold

if __name__ == "__main__":  # a local cluster, whose workers begin by importing this file, or DASK_SCHEDULER_ADDRESS
    with dask.distributed.Client() as client:
        bake = lanefold.Bake(*sys.argv[1:3], margin=0.02)
        tasks = client.map(bake.make, bake.shards(64), retries=100)  # the task of a worker that dies runs again
        print(sum(map(len, client.gather(tasks))), "frames made,", len(bake.scene), "in the scene")
