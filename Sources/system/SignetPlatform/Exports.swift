// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Whoever calls the system also tells of its failures.
@_exported public import SignetBase
