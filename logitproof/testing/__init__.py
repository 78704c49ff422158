"""Logits processors checked from any test suite, and the plugin that makes pytest draw what was found."""
