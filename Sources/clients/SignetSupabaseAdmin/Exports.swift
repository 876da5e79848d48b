// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program names its project, its users and its errors without further imports.
@_exported public import SignetSupabase
