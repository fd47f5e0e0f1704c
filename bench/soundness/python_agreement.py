"""The Python package against the answers of a campaign, bit by bit: python_agreement.py ANSWERS.

ANSWERS is what `bench/campaign answers` wrote; run it with a Python in which the package of the same version is installed.
"""

import json
import sys

import hockeystick as hs


def ends(line):
    mechanism = hs.parse(line["expression"])
    answer = hs.epsilon(mechanism, delta=line["delta"], relation=line["relation"], tolerance=line["tolerance"])
    return (0.0 if answer.lower is None else answer.lower), answer.upper


def main(path):
    agreed, differ = 0, []
    with open(path) as file:
        for line in map(json.loads, file):
            known = float(line["lower"]), float(line["upper"])
            found = ends(line)
            if [x.hex() for x in found] == [x.hex() for x in known]:
                agreed += 1
            else:
                differ.append(line)
                print(f"{line['expression']} | {line['relation']} | {line['delta']}: {known} in Rust, {found} in Python")
    print(f"{agreed} answers agree to the last bit, {len(differ)} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
