// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension IdentityProvider {
    /// Reads client identifiers from a comma-separated list, as an environment variable holds it:
    /// `eg.Kinnect.auth,eg.Kinnect`.
    ///
    /// Spaces and line ends around a member are dropped. Empty members are rejected (`a,,b`, `a,`,
    /// an empty text), because they would match an empty audience. Quotation marks and inner spaces
    /// are rejected too.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func clientIDs(fromList text: String) throws(IdentityConfigurationError)
        -> [String]
    {
        var members = [String]()
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        {
            var member = Array(part)
            while let last = member.last, isBlank(last) { member.removeLast() }
            members.append(String(decoding: member.drop(while: isBlank), as: UTF8.self))
        }
        guard !members.contains(where: { $0.utf8.contains { $0 == 0x22 || $0 == 0x27 } }) else {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "The list of client identifiers holds quotation marks: leave them out.")
        }
        return try Identifier.checked(members, as: "client identifier")
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x09 || octet == 0x0a || octet == 0x0d
    }
}
