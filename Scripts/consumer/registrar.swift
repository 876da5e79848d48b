// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that asks libpsl for public suffixes: Scripts/consumer.sh builds and runs it.
import SignetEmail
import SignetPublicSuffix

let list = try LibPSL()
print(try list.isPublicSuffix(EmailDomain("co.uk")))
