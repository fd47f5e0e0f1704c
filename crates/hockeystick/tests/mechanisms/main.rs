//! Mechanisms as data: algebra, text, JSON, and properties of all of them.

mod algebra;
mod calculations;
mod json;
mod properties;
mod text;
