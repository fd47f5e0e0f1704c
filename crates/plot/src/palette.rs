//! Colours that can be told apart: M. Okabe and K. Ito, "Color Universal Design", 2008. Black is for axes.

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

pub(crate) const INK: Colour = [0x22, 0x22, 0x22];
pub(crate) const FAINT: Colour = [0xdd, 0xdd, 0xdd];
pub(crate) const PAPER: Colour = [0xff, 0xff, 0xff];

const SERIES: [Colour; 7] = [
    [0x00, 0x72, 0xb2], // blue
    [0xd5, 0x5e, 0x00], // vermilion
    [0x00, 0x9e, 0x73], // bluish green
    [0xcc, 0x79, 0xa7], // reddish purple
    [0xe6, 0x9f, 0x00], // orange
    [0x56, 0xb4, 0xe9], // sky blue
    [0x55, 0x55, 0x55], // grey
];

const DASHES: [&[f32]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.5], &[8.0, 3.0, 2.0, 3.0]];

pub(crate) fn colour(series: usize) -> Colour {
    SERIES[series % SERIES.len()]
}

pub(crate) fn dashes(series: usize) -> &'static [f32] {
    DASHES[series % DASHES.len()]
}
