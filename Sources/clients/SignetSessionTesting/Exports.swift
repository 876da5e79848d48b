// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A test names the manager, its store in memory, the clock and the errors without further imports.
@_exported public import SignetSession
@_exported public import SignetVaultTesting
