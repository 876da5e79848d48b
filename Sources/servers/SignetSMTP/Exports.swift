// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program that sends mail names the outbox and its errors without further imports.
@_exported public import SignetAccounts
