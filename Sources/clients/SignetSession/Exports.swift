// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program that holds a session names its store, its clock and its errors without further imports.
@_exported public import SignetBase
@_exported public import SignetVault
