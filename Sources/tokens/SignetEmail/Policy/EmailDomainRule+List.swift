// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

extension EmailDomainRule {
    /// Reads rules from a comma-separated list, as in a configuration: `company.example,
    /// *.company.example`. Surrounding spaces are ignored, and `*.` at the beginning means
    /// ``onlySubdomains(_:)``, as in a ``DomainList``.
    ///
    /// Nothing is checked or left out here: an empty text is a single empty domain, which a policy
    /// refuses like `*` or `@company.example`.
    public static func rules(fromList text: String) -> [EmailDomainRule] {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return parts.map { part in
            let domain = Array(part)[...].withoutOuterBlanks
            guard domain.starts(with: "*.".utf8) else {
                return .exact(String(decoding: domain, as: UTF8.self))
            }
            return .onlySubdomains(String(decoding: domain.dropFirst(2), as: UTF8.self))
        }
    }
}
