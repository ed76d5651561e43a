# SPDX-License-Identifier: MIT
# A bake on a Ray cluster: bake_ray.py SCENE CONTACTS. Every node needs the wheel of lanefold and sees both folders.
import sys

import lanefold
import ray

ray.init()  # a local cluster, or the one that RAY_ADDRESS names
bake = lanefold.Bake(*sys.argv[1:3], margin=0.02)
make = ray.remote(max_retries=-1)(lanefold.Bake.make)  # the task of a worker that dies runs again, elsewhere
made = ray.get([make.remote(bake, frames) for frames in bake.shards(64)])
print(sum(map(len, made)), "frames made,", len(bake.scene), "in the scene")
