//! The tree a text is parsed to, before any name is looked up.

use super::error::Span;

/// An expression and its place in the text.
pub(super) struct Expression {
    pub(super) span: Span,
    pub(super) form: Form,
}

pub(super) enum Form {
    Sum(Vec<Expression>),
    Times(Box<Expression>, Literal),
    Call(Call),
}

/// `name(argument, …)`.
pub(super) struct Call {
    pub(super) name: Span,
    pub(super) arguments: Vec<Argument>,
}

/// An argument of a call, with its place and the place of its name.
pub(super) enum Argument {
    Mechanism(Expression),
    Named(Span, Literal),
    /// A value without a name: an error in every call, but only the mechanism's description can say the cure.
    Unnamed(Literal),
}

pub(super) struct Literal {
    pub(super) span: Span,
    pub(super) value: LiteralValue,
}

pub(super) enum LiteralValue {
    Number(f64),
    Calculated(Calculated),
    Text(String),
    Hole,
}

/// What a calculation comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Calculated {
    /// The double nearest to it.
    pub(super) nearest: f64,
    /// The whole number that it is, if it is one from 0 to 10¹⁵.
    pub(super) whole: Option<u64>,
}
