// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A `catch` of an error of this module reads its `code` and its `message`.
@_exported public import SignetBase
// This module already links Foundation. Its errors have `localizedDescription` without another
// import.
@_exported public import SignetFoundation
