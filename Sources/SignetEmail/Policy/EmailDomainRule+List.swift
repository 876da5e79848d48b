// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension EmailDomainRule {
    /// The rules of a list as a configuration has it: `company.example, *.partner.example`. Domains
    /// with commas between them, blanks around one do not count, and `*.` in front stands for
    /// ``includeSubdomains(_:)``.
    ///
    /// Nothing is looked at or left out here: an empty text is one empty domain, and a policy
    /// refuses that as it refuses `*` or `@company.example`.
    public static func rules(fromList text: String) -> [EmailDomainRule] {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return parts.map { part in
            let domain = Array(part)[...].withoutOuterBlanks
            guard domain.starts(with: "*.".utf8) else {
                return .exact(String(decoding: domain, as: UTF8.self))
            }
            return .includeSubdomains(String(decoding: domain.dropFirst(2), as: UTF8.self))
        }
    }
}
