// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension FuzzTarget {
    /// In the order in which `make fuzz` runs them.
    package static let all = [
        json, jws, jwe, jwk, jwks, pem, der, x509, mailbox, domain, metadata, token, device, fields,
        callback, ticket, authjs, cookie, records, sealed, vault, gotrue,
    ]

    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
