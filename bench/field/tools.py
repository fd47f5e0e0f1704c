"""Every accountant behind one function: workload → what it reports as ε.

A tool is imported by `load`, whose result answers workloads with a dictionary of `lower`, `estimate` and `upper`, as far as the tool
has them. Each is asked the way its own documentation asks, at its default accuracy, and builds everything anew for each question.
"""

import importlib.util
import math
import sys
import types


class Unsupported(Exception):
    """The tool has no such mechanism, sampler or relation."""


def only(workload, *kinds, relation="add-remove", samplers=(None, "poisson")):
    """Refuses a workload with anything but these mechanisms, samplers and relation."""
    if workload["relation"] != relation:
        raise Unsupported(workload["relation"])
    for part in workload["parts"]:
        if part["mechanism"] not in kinds:
            raise Unsupported(part["mechanism"])
        if part.get("sampler") not in samplers:
            raise Unsupported(str(part.get("sampler")))


def hockeystick():
    import hockeystick as hs

    number = {"gaussian": "sigma", "laplace": "scale", "randomized_response": "epsilon"}

    def term(part):
        kind = part["mechanism"]
        text = f"{kind}({number[kind]}={part[number[kind]]!r})"
        if "sampler" in part:
            text = f"{part['sampler']}({text}, rate={part['rate']!r})"
        return f"{text} * {part['count']}"

    def ask(workload):
        relation = {"add-remove": "add-remove", "replace-one": "replace"}[workload["relation"]]
        expression = " + ".join(term(part) for part in workload["parts"])
        answer = hs.epsilon(expression, workload["delta"], relation=relation)
        return {"lower": answer.lower, "upper": answer.upper}

    return ask


def _dp_accounting(make_accountant):
    import dp_accounting as dp

    relations = {"add-remove": dp.NeighboringRelation.ADD_OR_REMOVE_ONE, "replace-one": dp.NeighboringRelation.REPLACE_ONE}
    #: SampledWithoutReplacement wants sizes; the bound uses their quotient alone.
    records = 1_000_000

    def event(part):
        kind = part["mechanism"]
        if kind == "gaussian":
            made = dp.GaussianDpEvent(part["sigma"])
        elif kind == "laplace":
            made = dp.LaplaceDpEvent(part["scale"])
        else:
            made = dp.RandomizedResponseDpEvent(2 / (1 + math.exp(part["epsilon"])), 2)
        if part.get("sampler") == "poisson":
            made = dp.PoissonSampledDpEvent(part["rate"], made)
        elif part.get("sampler") == "subset":
            made = dp.SampledWithoutReplacementDpEvent(records, round(part["rate"] * records), made)
        return made if part["count"] == 1 else dp.SelfComposedDpEvent(made, part["count"])

    def ask(workload):
        accountant = make_accountant(relations[workload["relation"]])
        try:
            accountant.compose(dp.ComposedDpEvent([event(part) for part in workload["parts"]]))
        except dp.UnsupportedEventError as error:
            raise Unsupported(str(error)[:80]) from None
        return {"upper": float(accountant.get_epsilon(workload["delta"]))}

    return ask


def dp_accounting_pld():
    from dp_accounting.pld import PLDAccountant

    return _dp_accounting(PLDAccountant)


def dp_accounting_rdp():
    from dp_accounting.rdp import RdpAccountant

    return _dp_accounting(lambda relation: RdpAccountant(neighboring_relation=relation))


def dp_accounting_distributions():
    """The layer below the accountant, for what the accountant counts wrongly: repeated randomised response."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    def made(part):
        kind = part["mechanism"]
        rate = part.get("rate", 1.0)
        if kind == "gaussian":
            one = pld.from_gaussian_mechanism(part["sigma"], sampling_prob=rate)
        elif kind == "laplace":
            one = pld.from_laplace_mechanism(part["scale"], sampling_prob=rate)
        else:
            one = pld.from_randomized_response(2 / (1 + math.exp(part["epsilon"])), 2)
        return one if part["count"] == 1 else one.self_compose(part["count"])

    def ask(workload):
        only(workload, "gaussian", "laplace", "randomized_response")
        if all(part["mechanism"] != "randomized_response" for part in workload["parts"]):
            raise Unsupported("the accountant asks the same")
        total = None
        for part in workload["parts"]:
            total = made(part) if total is None else total.compose(made(part))
        return {"upper": float(total.get_epsilon_for_delta(workload["delta"]))}

    return ask


def prv_accountant():
    import prv_accountant as prv
    from prv_accountant.privacy_random_variables import GaussianMechanism, LaplaceMechanism, PureDPMechanism

    def variable(part):
        kind = part["mechanism"]
        if "rate" in part:
            if kind != "gaussian":
                raise Unsupported(f"sampled {kind}")
            return prv.PoissonSubsampledGaussianMechanism(part["rate"], part["sigma"])
        if kind == "gaussian":
            return GaussianMechanism(part["sigma"])
        return LaplaceMechanism(1 / part["scale"]) if kind == "laplace" else PureDPMechanism(part["epsilon"])

    def ask(workload):
        only(workload, "gaussian", "laplace", "randomized_response")
        counts = [part["count"] for part in workload["parts"]]
        accountant = prv.PRVAccountant(
            prvs=[variable(part) for part in workload["parts"]],
            max_self_compositions=counts,
            eps_error=0.01,
            delta_error=workload["delta"] / 1000,
        )
        lower, estimate, upper = accountant.compute_epsilon(workload["delta"], counts)
        return {"lower": float(lower), "estimate": float(estimate), "upper": float(upper)}

    return ask


def autodp_rdp():
    from autodp import mechanism_zoo, transformer_zoo

    def mechanism(part, relation):
        kind = part["mechanism"]
        if kind == "gaussian":
            made = mechanism_zoo.GaussianMechanism(sigma=part["sigma"])
        elif kind == "laplace":
            made = mechanism_zoo.LaplaceMechanism(b=part["scale"])
        else:
            made = mechanism_zoo.RandresponseMechanism(p=1 / (1 + math.exp(-part["epsilon"])))
        if "rate" not in part:
            return made
        poisson = part["sampler"] == "poisson"
        made.neighboring = "add_remove" if poisson else "replace_one"
        sample = transformer_zoo.AmplificationBySampling(PoissonSampling=poisson)
        return sample(made, part["rate"], improved_bound_flag=kind == "gaussian")

    def ask(workload):
        made = [mechanism(part, workload["relation"]) for part in workload["parts"]]
        compose = transformer_zoo.Composition()
        total = compose(made, [part["count"] for part in workload["parts"]])
        return {"upper": float(total.approxDP(workload["delta"]))}

    return ask


def fourier_accountant():
    import fourier_accountant
    import numpy as np

    def ask(workload):
        only(workload, "gaussian")
        column = lambda key, otherwise: np.array([float(part.get(key, otherwise)) for part in workload["parts"]])
        found = fourier_accountant.get_epsilon_R(
            workload["delta"], column("sigma", 0), column("rate", 1), column("count", 1).astype(int)
        )
        return {"estimate": float(found)}

    return ask


def _opacus(name):
    # The package imports PyTorch when it is loaded; its accountants do not need it (but for the name of a type), so that only
    # they are loaded.
    place = importlib.util.find_spec("opacus").submodule_search_locations[0]
    bare = types.ModuleType("opacus")
    bare.__path__ = [place]
    optimizers = types.ModuleType("opacus.optimizers")
    optimizers.DPOptimizer = object
    sys.modules.update({"opacus": bare, "opacus.optimizers": optimizers})
    accountants = importlib.import_module("opacus.accountants")
    kind = getattr(accountants, name)

    def ask(workload):
        only(workload, "gaussian")
        accountant = kind()
        accountant.history = [(part["sigma"], part.get("rate", 1.0), part["count"]) for part in workload["parts"]]
        return {"upper": float(accountant.get_epsilon(workload["delta"]))}

    return ask


def opacus_rdp():
    return _opacus("RDPAccountant")


def opacus_prv():
    return _opacus("PRVAccountant")


#: name → (package, loader). The first is this project.
TOOLS = {
    "hockeystick": ("hockeystick", hockeystick),
    "dp_accounting PLD": ("dp-accounting", dp_accounting_pld),
    "dp_accounting PLD, distributions": ("dp-accounting", dp_accounting_distributions),
    "dp_accounting RDP": ("dp-accounting", dp_accounting_rdp),
    "prv_accountant": ("prv-accountant", prv_accountant),
    "autodp RDP": ("autodp", autodp_rdp),
    "fourier_accountant": ("fourier-accountant", fourier_accountant),
    "Opacus RDP": ("opacus", opacus_rdp),
    "Opacus PRV": ("opacus", opacus_prv),
}

#: Not worth a process: tools that know Gaussians only, and the one that is asked about responses only.
GAUSSIANS_ONLY = {"fourier_accountant", "Opacus RDP", "Opacus PRV"}
RESPONSES_ONLY = {"dp_accounting PLD, distributions"}


def known_to_be_unsupported(tool, workload):
    kinds = {part["mechanism"] for part in workload["parts"]}
    if tool in GAUSSIANS_ONLY:
        return kinds != {"gaussian"} or workload["relation"] != "add-remove"
    return tool in RESPONSES_ONLY and "randomized_response" not in kinds
