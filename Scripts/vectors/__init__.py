# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Readers of published test vectors, one module for each source."""
