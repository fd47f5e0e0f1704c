"""From measurements to Markdown."""

import math
import os
import platform
import statistics
from datetime import date

from tools import TOOLS

OURS = next(iter(TOOLS))
BEGIN, END = "<!-- benchmark: begin, written by bench/compare -->", "<!-- benchmark: end -->"

#: A peer this close to the truth is one to whom accuracy matters too.
CLOSE = 0.01


def machine():
    model = platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "date": date.today().isoformat(),
        "load": round(os.getloadavg()[0], 1),
    }


def duration(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def quoted(reported):
    """The number a user would quote."""
    return reported.get("upper", reported.get("estimate"))


def distance(reported, truth):
    """How far the quoted number is from the truth, as a part of it; what is within the reference's own width is 0."""
    value = quoted(reported)
    if not math.isfinite(value):
        return math.inf
    if truth["lower"] <= value <= truth["upper"]:
        return 0.0
    return (value - (truth["upper"] if value > truth["upper"] else truth["lower"])) / truth["upper"]


def verdict(reported, truth):
    """Whether what is claimed holds."""
    wrong = []
    if "upper" in reported and not reported["upper"] >= truth["lower"]:
        wrong.append("upper bound")
    if "lower" in reported and not reported["lower"] <= truth["upper"]:
        wrong.append("lower bound")
    if wrong:
        return "**no**: the " + " and the ".join(wrong)
    return "yes" if "upper" in reported else "claims none"


def progress(found):
    outcome = found.get("failed") or found.get("unsupported")
    if outcome is None:
        outcome = f"{quoted(found['reported'])} in {duration(statistics.median(found['warm'] or [found['first']]))}"
    return f"{found['workload']:18} {found['tool']:34} {outcome}"


def warm(found):
    return statistics.median(found["warm"] or [found["first"]])


def comparable(found):
    """Whether the times are the processor's, and do not depend on what else runs."""
    return found.get("clock") == "processor"


def spread(found):
    """From the first to the last quarter."""
    if len(found["warm"]) < 4:
        return "–"
    low, _, high = statistics.quantiles(found["warm"], n=4, method="inclusive")
    return f"{duration(low)} – {duration(high)}"


def shown_distance(value):
    if value == 0:
        return "0"
    return "∞" if math.isinf(value) else f"{value:+.1e}".replace("e-0", "e-").replace("e+0", "e+").replace("-", "−")


def number(value):
    return f"{value:.6g}" if math.isfinite(value) else "∞"


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def described(part):
    inner = {
        "gaussian": lambda: f"σ = {part['sigma']:g}",
        "laplace": lambda: f"b = {part['scale']:g}",
        "randomized_response": lambda: f"ε₀ = {part['epsilon']:g}",
    }[part["mechanism"]]()
    name = {"gaussian": "Gaussian", "laplace": "Laplace", "randomized_response": "response"}[part["mechanism"]]
    rate = f", {part['sampler']} {part['rate']:.3g}" if "rate" in part else ""
    return f"{part['count']} × {name}({inner}{rate})"


def answers(results):
    return [found for found in results["measured"] if "reported" in found]


def workloads_table(results, workloads, truths):
    rows = [
        line("workload", "δ", "true ε", "width of our interval", "our time", "fastest peer", f"fastest within {CLOSE:.0%}"),
        line(*["---"] * 7),
    ]
    for workload in workloads:
        name = workload["name"]
        mine = [found for found in answers(results) if found["workload"] == name]
        ours = next((found for found in mine if found["tool"] == OURS), None)
        peers = [found for found in mine if found["tool"] != OURS]
        truth = truths.get(name)
        parts = " + ".join(described(part) for part in workload["parts"])
        where = ", one record replaced" if workload["relation"] == "replace-one" else ""

        def fastest(some):
            if not some or ours is None:
                return "–"
            best = min(some, key=warm)
            if not all(comparable(found) for found in [*some, ours]):
                return "not comparable"
            return f"{best['tool']}, {duration(warm(best))}: {times(warm(best) / warm(ours))} ×"

        close = [found for found in peers if truth and abs(distance(found["reported"], truth)) <= CLOSE]
        rows.append(
            line(
                f"`{name}`: {parts}{where}",
                f"{workload['delta']:g}",
                f"{truth['upper']:.13g}" if truth else "no reference",
                f"{ours['reported']['upper'] - ours['reported']['lower']:.0e}" if ours else "–",
                duration(warm(ours)) if ours else "–",
                fastest(peers),
                fastest(close),
            )
        )
    return rows


def times(ratio):
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def median_time(some):
    return duration(statistics.median(warm(found) for found in some)) if some else "–"


def tools_table(results, truths):
    rows = [
        line("program", "answered", "failed", "bound is wrong", "median distance", "largest distance", "median time", "peak memory"),
        line(*["---"] * 8),
    ]
    for tool in TOOLS:
        asked = [found for found in results["measured"] if found["tool"] == tool and "unsupported" not in found]
        done = [found for found in asked if "reported" in found]
        judged = [found for found in done if found["workload"] in truths]
        if not asked:
            continue
        wrong = sum(verdict(found["reported"], truths[found["workload"]]).startswith("**") for found in judged)
        far = [abs(distance(found["reported"], truths[found["workload"]])) for found in judged]
        rows.append(
            line(
                tool,
                len(done),
                len(asked) - len(done),
                wrong if any("upper" in found["reported"] for found in done) else "claims none",
                shown_distance(statistics.median(far)).lstrip("+") if far else "–",
                shown_distance(max(far)).lstrip("+") if far else "–",
                median_time([found for found in done if comparable(found)]),
                f"{max(found['memory'] for found in done):.0f} MB" if done else "–",
            )
        )
    return rows


def answers_table(results, workloads, truths):
    rows = [
        line("workload", "program", "ε", "distance to the truth", "bound holds", "cold", "warm", "middle half", "memory"),
        line(*["---"] * 9),
    ]
    for workload in workloads:
        for found in results["measured"]:
            if found["workload"] != workload["name"] or "unsupported" in found:
                continue
            if "failed" in found:
                reason = found["failed"].replace("|", "\\|").replace("\n", " ")[:70]
                rows.append(line(found["workload"], found["tool"], "–", "–", f"fails: {reason}", *["–"] * 4))
                continue
            truth = truths.get(found["workload"])
            rows.append(
                line(
                    found["workload"],
                    found["tool"],
                    number(quoted(found["reported"])),
                    shown_distance(distance(found["reported"], truth)) if truth else "–",
                    verdict(found["reported"], truth) if truth else "–",
                    duration(found["cold"]) if comparable(found) else "–",
                    duration(warm(found)) if comparable(found) else "–",
                    spread(found) if comparable(found) else "–",
                    f"{found['memory']:.0f} MB",
                )
            )
    return rows


def section(results, workloads, truths):
    about, listed = results["machine"], results["versions"]
    packages = dict.fromkeys(package for package, _ in TOOLS.values())
    shown = ", ".join(f"{package} {listed[package]}" for package in packages if package in listed)
    left = "".join(f" {package} could not be installed: {why}." for package, why in results["missing"].items())
    text = [
        f"Measured on {about['date']}: {about['processor']}, {about['cores']} cores, load {about['load']}, "
        f"{about['system']}, Python {about['python']}; {shown}, numpy {listed.get('numpy', '?')}, scipy "
        f"{listed.get('scipy', '?')}.{left}",
        "",
        "The question is always ε at δ. Each program answers each workload in a process of its own, through its Python interface, at its",
        "default accuracy (prv_accountant: errors 0.01 and δ/1000); `cold` includes the import, `warm` is the median of at least five",
        "further answers from scratch, both in processor time of all threads, which other load on the machine changes least; the memory is the",
        "peak of the process. True values are enclosed by arbitrary-precision references that share no code with this project; distances are",
        "relative, signed (below the truth is negative), and 0 inside of the reference's own width. Programs without a mechanism, sampler or",
        "relation are not asked. Times taken by the wall clock on a busy machine are left out (–, not comparable).",
        "",
        "By program:",
        "",
        *tools_table(results, truths),
        "",
        "By workload; `×` says how many times longer than this project a peer takes:",
        "",
        *workloads_table(results, workloads, truths),
        "",
        "Every answer:",
        "",
        *answers_table(results, workloads, truths),
    ]
    return "\n".join(text)


def write(path, text):
    """Puts the text between the markers."""
    old = path.read_text()
    if BEGIN not in old or END not in old:
        raise SystemExit(f"{path} has no place for it: the lines\n{BEGIN}\n{END}")
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
