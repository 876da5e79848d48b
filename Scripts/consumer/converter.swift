// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that takes addresses outside ASCII: Scripts/consumer.sh builds and runs it.
import SignetEmail
import SignetEmailIDNA

let options = Mailbox.Options(domainConverter: try ICUDomainConverter())
print(
    try Mailbox("ann@b\u{FC}cher.example", options: options).domain.text == "xn--bcher-kva.example")
