"""One tool on one workload in a fresh process: prints what it reports, and what that took, as JSON.

`cold` is the time to import the tool and answer for the first time; `warm` are the times of further answers to the same question,
each from scratch, at least `LEAST` of them unless they take longer than `PATIENCE` together. Times are those of the processor, of
all threads: other programs on the machine would lengthen long answers, and not the short ones, by the wall clock.
"""

import json
import resource
import sys
import time
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import tools

LEAST, MOST, SHORT, PATIENCE = 5, 101, 0.3, 8.0


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(ask, workload):
    began = time.perf_counter()
    times = []
    while len(times) < LEAST or len(times) < MOST and time.perf_counter() - began < SHORT:
        if time.perf_counter() - began > PATIENCE:
            break
        start = time.process_time()
        ask(workload)
        times.append(time.process_time() - start)
    return times


def main(name, workload_name):
    warnings.simplefilter("ignore")
    workloads = json.loads((Path(__file__).parent / "workloads.json").read_text())
    workload = next(found for found in workloads if found["name"] == workload_name)
    found = {"tool": name, "workload": workload_name}
    with redirect_stdout(sys.stderr):
        try:
            found["clock"] = "processor"
            began = time.process_time()
            ask = tools.TOOLS[name][1]()
            imported = time.process_time()
            found["memory_imported"] = peak_megabytes()
            found["reported"] = ask(workload)
            found["cold"] = time.process_time() - began
            found["first"] = time.process_time() - imported
            found["memory"] = peak_megabytes()
            found["warm"] = measured(ask, workload)
        except tools.Unsupported as reason:
            found["unsupported"] = str(reason)
        except Exception as error:  # whatever a tool throws is its answer
            found["failed"] = f"{type(error).__name__}: {error}"[:200]
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
