//! Arrays of numbers as the bytes of doubles, of which numpy makes arrays without copying.

use crate::Failure;
use pyo3::{
    Bound, Python,
    exceptions::PyValueError,
    types::{PyByteArray, PyBytes, PyBytesMethods},
};

/// Numbers as bytes.
pub(crate) fn bytes(py: Python<'_>, numbers: impl Iterator<Item = f64>) -> Bound<'_, PyByteArray> {
    let bytes: Vec<u8> = numbers.flat_map(f64::to_ne_bytes).collect();
    PyByteArray::new(py, &bytes)
}

/// Bytes as numbers.
pub(crate) fn doubles(bytes: &Bound<'_, PyBytes>) -> Result<Vec<f64>, Failure> {
    let (chunks, rest) = bytes.as_bytes().as_chunks::<8>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err("the bytes are not those of doubles").into());
    }
    Ok(chunks.iter().map(|chunk| f64::from_ne_bytes(*chunk)).collect())
}
