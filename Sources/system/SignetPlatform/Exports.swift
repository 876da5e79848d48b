// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Code that calls the system also reports its failures.
@_exported public import SignetBase
