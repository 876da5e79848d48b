// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Claims may hold a `JSONValue`, and base64url is part of JOSE's own vocabulary.
@_exported public import SignetJSON
