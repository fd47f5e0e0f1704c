//! Some 100 bits of precision, for references that no file can hold: long transforms.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An unevaluated sum of two doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extended(pub f64, pub f64);

fn two_sum(a: f64, b: f64) -> Extended {
    let sum = a + b;
    let b_part = sum - a;
    Extended(sum, (a - (sum - b_part)) + (b - b_part))
}

impl From<f64> for Extended {
    fn from(x: f64) -> Self {
        Self(x, 0.0)
    }
}

impl Neg for Extended {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Add for Extended {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.0, other.0);
        let low = two_sum(self.1, other.1);
        let sum = two_sum(high.0, high.1 + low.0);
        two_sum(sum.0, sum.1 + low.1)
    }
}

impl Sub for Extended {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Extended {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let residual = self.0.mul_add(other.0, -product);
        two_sum(product, residual + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Extended {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = Self::from(self.0 / other.0);
        let second = Self::from((self - first * other).0 / other.0);
        first + second + Self::from((self - (first + second) * other).0 / other.0)
    }
}

impl Extended {
    pub fn sqrt(self) -> Self {
        if self.0 == 0.0 {
            return self;
        }
        let root = Self::from(self.0.sqrt());
        root + (self - root * root) / (root + root)
    }
}

/// A complex number of [`Extended`] parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExtendedComplex {
    pub re: Extended,
    pub im: Extended,
}

impl ExtendedComplex {
    pub fn new(re: impl Into<Extended>, im: impl Into<Extended>) -> Self {
        Self { re: re.into(), im: im.into() }
    }

    pub fn conjugate(self) -> Self {
        Self { im: -self.im, ..self }
    }

    /// The squared distance to a complex number of doubles.
    pub fn squared_distance(self, re: f64, im: f64) -> f64 {
        let (dx, dy) = ((self.re - re.into()).0, (self.im - im.into()).0);
        dx * dx + dy * dy
    }

    pub fn squared_norm(self) -> f64 {
        self.squared_distance(0.0, 0.0)
    }
}

impl Add for ExtendedComplex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for ExtendedComplex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for ExtendedComplex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for ExtendedComplex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let numerator = self * other.conjugate();
        let square = other.re * other.re + other.im * other.im;
        Self { re: numerator.re / square, im: numerator.im / square }
    }
}

/// e^{−2πik/n} for k = 0, …, n − 1, from half-angle formulas and products alone.
pub fn roots_of_unity(n: usize) -> Vec<ExtendedComplex> {
    let one = Extended::from(1.0);
    let mut roots = vec![ExtendedComplex::new(1.0, 0.0)];
    let (mut cosine, mut sine) = (Extended::from(-1.0), Extended::from(0.0));
    while roots.len() < n {
        // Here (cosine, sine) is the angle −2π/(2·len): interleave its odd multiples.
        let step = ExtendedComplex { re: cosine, im: sine };
        roots = roots.iter().flat_map(|&root| [root, root * step]).collect();
        let half = Extended::from(0.5);
        let smaller = ((one + cosine) * half).sqrt();
        // sin(α/2) without cancellation once the cosine is positive.
        sine = if cosine.0 < 0.5 { -((one - cosine) * half).sqrt() } else { sine * half / smaller };
        cosine = smaller;
    }
    roots
}

/// The discrete Fourier transform of a power-of-two length, recursively.
pub fn transform(signal: &[ExtendedComplex], roots: &[ExtendedComplex]) -> Vec<ExtendedComplex> {
    let n = signal.len();
    if n == 1 {
        return signal.to_vec();
    }
    let stride = roots.len() / n;
    let part = |parity: usize| -> Vec<ExtendedComplex> {
        transform(&signal.iter().skip(parity).step_by(2).copied().collect::<Vec<_>>(), roots)
    };
    let (even, odd) = (part(0), part(1));
    let turned: Vec<_> = odd.iter().enumerate().map(|(k, &value)| value * roots[k * stride]).collect();
    let first = even.iter().zip(&turned).map(|(&a, &b)| a + b);
    let second = even.iter().zip(&turned).map(|(&a, &b)| a - b);
    first.chain(second).collect()
}
