// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's program that accepts addresses outside ASCII. Scripts/consumer.sh builds and runs it.
import SignetEmail
import SignetEmailIDNA

let options = Mailbox.Options(domainConverter: try ICUDomainConverter())
print(
    try Mailbox("ann@b\u{FC}cher.example", options: options).domain.text == "xn--bcher-kva.example")
