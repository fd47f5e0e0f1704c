"""References for compositions: δ(ε) of products of pairs, by contours and by exact sums."""
