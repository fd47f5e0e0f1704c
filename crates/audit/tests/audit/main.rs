//! Audits: the confidence that is claimed holds in simulated attacks, and findings are as good as closed forms say.

mod claims;
mod coverage;
mod refused;
