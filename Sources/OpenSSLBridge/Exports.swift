// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Until each importer names SignetMemory itself (issue 17, item 7).
@_exported public import SignetMemory
