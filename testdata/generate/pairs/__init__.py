"""References for worst-case pairs (P, Q): parts of a pair, the mechanisms, the choice of inputs."""
