// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program that keeps accounts names its errors and durations without further imports.
@_exported public import SignetBase
