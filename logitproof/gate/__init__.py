"""The regression gate: proofs, fuzzing and saved failures, as `[tool.logitproof]` of a pyproject.toml asks for them."""
