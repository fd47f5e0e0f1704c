//! Some 100 bits of precision for references that no file can hold: long transforms.
