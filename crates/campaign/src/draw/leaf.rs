//! One use of one mechanism, with parameters that make its loss deviate by about what is wanted.

use super::amounts::rounded;
use hockeystick_chance::Random;

/// A mechanism that can be drawn.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) name: &'static str,
    /// Is its pair its own dual, as replacing a record asks for?
    pub(super) is_symmetric: bool,
    /// Has it a pair, which samplers need, or only moments?
    pub(super) has_pair: bool,
    /// Do the generators of references know it?
    pub(super) has_reference: bool,
}

const fn leaf(name: &'static str, is_symmetric: bool, has_pair: bool, has_reference: bool) -> Leaf {
    Leaf { name, is_symmetric, has_pair, has_reference }
}

/// Every mechanism; those that are used most, more than once.
pub(super) const LEAVES: &[Leaf] = &[
    leaf("gaussian", true, true, true),
    leaf("gaussian", true, true, true),
    leaf("gaussian", true, true, true),
    leaf("laplace", true, true, true),
    leaf("laplace", true, true, true),
    leaf("discrete_gaussian", true, true, true),
    leaf("discrete_laplace", true, true, true),
    leaf("randomized_response", true, true, true),
    leaf("randomized_response", true, true, true),
    leaf("k_randomized_response", true, true, true),
    leaf("dp", true, true, true),
    leaf("exponential", true, true, true),
    leaf("report_noisy_max", true, true, false),
    leaf("permute_and_flip", true, true, false),
    leaf("sparse_vector", true, true, false),
    leaf("binomial", false, true, true),
    leaf("truncated_gaussian", true, true, true),
    leaf("truncated_laplace", true, true, true),
    leaf("uniform", true, true, true),
    leaf("gaussian_mixture", false, true, true),
    leaf("gaussian_variance", false, true, true),
    leaf("stability", false, true, true),
    leaf("skellam", true, true, true),
    leaf("staircase", true, true, true),
    leaf("zcdp", true, false, false),
    leaf("gdp", true, true, true),
    leaf("tree", true, true, false),
    leaf("pair", false, true, false),
    leaf("profile", false, true, false),
    leaf("renyi", true, false, false),
];

impl Leaf {
    /// The expression of one use.
    pub(super) fn text(&self, random: &mut Random, spread: f64) -> String {
        let noise = rounded(random, 1.0 / spread);
        let small = rounded(random, spread.clamp(1e-6, 5.0));
        let name = self.name;
        match name {
            "gaussian" => {
                let sigma = noise.max(0.05);
                if random.chance(0.1) {
                    let sensitivity = random.log_uniform(0.01, 100.0);
                    return format!("{name}(sigma={:?}, sensitivity={sensitivity:?})", sigma * sensitivity);
                }
                format!("{name}(sigma={sigma:?})")
            }
            "laplace" => format!("{name}(scale={noise:?})"),
            "discrete_gaussian" => {
                let sensitivity = 1 + random.below(2);
                let sigma = (sensitivity as f64 * noise).clamp(0.4, 15.0);
                format!("{name}(sigma={sigma:?}, sensitivity={sensitivity})")
            }
            "discrete_laplace" => {
                let sensitivity = *random.one_of(&[1, 2, 3, 5]);
                let scale = (f64::from(sensitivity) * noise).min(1e6);
                format!("{name}(scale={scale:?}, sensitivity={sensitivity})")
            }
            "randomized_response" if random.chance(0.3) => {
                format!("{name}(p={:?})", 1.0 / (1.0 + (-small).exp()))
            }
            "k_randomized_response" => {
                let categories = random.log_uniform(2.0, 1e4) as u64;
                format!("{name}(categories={categories}, epsilon={small:?})")
            }
            "dp" => {
                let delta = if random.chance(0.3) { 0.0 } else { random.log_uniform(1e-16, 1e-4) };
                format!("{name}(epsilon={small:?}, delta={delta:?})")
            }
            "exponential" if random.chance(0.15) => {
                let n = 1 + random.below(50);
                let m = random.below(n + 1);
                format!("{name}(epsilon_tilde={:?}, n={n}, m={m})", small.min(20.0 / n as f64))
            }
            "exponential" => format!("{name}(epsilon={:?})", 2.0 * small),
            "randomized_response" | "report_noisy_max" | "permute_and_flip" | "sparse_vector" => {
                format!("{name}(epsilon={small:?})")
            }
            "binomial" => {
                let n = (4.0 * noise * noise).clamp(1.0, 400.0) as u64;
                let p = if random.chance(0.5) { 0.5 } else { random.uniform(0.1, 0.9) };
                format!("{name}(n={n}, p={p:?})")
            }
            "truncated_gaussian" => {
                let sigma = noise.max(0.3);
                let bound = (sigma * random.uniform(3.0, 9.0)).max(0.6);
                format!("{name}(sigma={sigma:?}, bound={bound:?})")
            }
            "truncated_laplace" => {
                let scale = noise.max(0.3);
                let bound = (scale * random.uniform(4.0, 45.0)).max(0.6);
                format!("{name}(scale={scale:?}, bound={bound:?})")
            }
            "uniform" => format!("{name}(width={:?})", noise.max(1.0) * random.log_uniform(1.5, 1e12)),
            "gaussian_mixture" => {
                let sigma = (2.0 * noise).max(0.3);
                let (shifts, weights) = *random.one_of(&[
                    ("0,1,2.5", "0.5,0.375,0.125"),
                    ("1,2", "0.25,0.75"),
                    ("0,0.3,1,3", "0.25,0.25,0.4375,0.0625"),
                ]);
                format!("{name}(sigma={sigma:?}, shifts=\"{shifts}\", weights=\"{weights}\")")
            }
            "gaussian_variance" => {
                let ratio = 1.0 + spread.min(2.0);
                let (a, b) = if random.chance(0.5) { (1.0, ratio) } else { (ratio, 1.0) };
                format!("{name}(sigma1={a:?}, sigma2={b:?})")
            }
            "stability" => {
                let delta = random.log_uniform(1e-14, 1e-6) * small.min(1.0);
                format!("{name}(epsilon={small:?}, delta={delta:?})")
            }
            "skellam" => format!("{name}(variance={:?})", (noise * noise).clamp(0.2, 300.0)),
            "staircase" => format!("{name}(epsilon={small:?}, gamma={:?})", random.uniform(0.01, 0.99)),
            "zcdp" => format!("{name}(rho={:?})", 0.5 * small * small),
            "gdp" => format!("{name}(mu={small:?})"),
            "tree" => format!("{name}(sigma={:?}, steps={})", noise.max(0.05), 1 + random.below(5000)),
            "pair" => pair(random, small),
            "profile" => {
                let first = random.log_uniform(1e-9, 0.3) * small.min(1.0);
                let epsilons = [0.0, 0.5, 1.0, 2.0].map(|factor| factor * small);
                let deltas = [1.0, 0.6, 0.3, 0.05].map(|factor| factor * first);
                format!("{name}(epsilons=\"{}\", deltas=\"{}\")", list(&epsilons), list(&deltas))
            }
            "renyi" => {
                let orders = [1.5, 2.0, 4.0, 16.0, 64.0];
                let divergences = orders.map(|order| 0.5 * small * small * order * random.uniform(1.0, 1.1));
                format!("{name}(orders=\"{}\", divergences=\"{}\")", list(&orders), list(&divergences))
            }
            unknown => unreachable!("{unknown} is not among the leaves"),
        }
    }
}

/// A few outcomes whose losses are of about this size.
fn pair(random: &mut Random, size: f64) -> String {
    let outcomes = 2 + random.below(5) as usize;
    let mut q: Vec<f64> = (0..outcomes).map(|_| random.log_uniform(1e-3, 1.0)).collect();
    let mut p: Vec<f64> = q.iter().map(|q| q * random.uniform(-2.0 * size, 2.0 * size).exp()).collect();
    if random.chance(0.1) {
        q[0] = 0.0;
        p[0] = random.log_uniform(1e-12, 1e-5);
    }
    for column in [&mut p, &mut q] {
        let total: f64 = column.iter().sum();
        column.iter_mut().for_each(|value| *value /= total);
    }
    format!("pair(p=\"{}\", q=\"{}\")", list(&p), list(&q))
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(",")
}
