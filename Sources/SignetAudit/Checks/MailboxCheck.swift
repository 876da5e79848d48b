// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail

/// An address is read as stated, or refused for the one reason that is stated.
struct MailboxCheck: Sendable {
    let octets: [UInt8]
    /// The code of the reason; nil where the address must be accepted.
    let reason: String?
    let localPart: String?
    let domain: String?

    func observation() -> AuditObservation {
        do throws(MailboxError) {
            let mailbox = try Mailbox(octets: octets)
            guard Self.isSame(mailbox.localPart, localPart),
                Self.isSame(mailbox.domain.text, domain)
            else {
                return .differed("another local part or domain came out")
            }
            return .accepted
        } catch {
            guard Self.isSame(error.code.rawValue, reason) else {
                return .differed("refused as \(error.code.rawValue), not as \(reason ?? "nothing")")
            }
            return .rejected(.malformed, error.description)
        }
    }

    /// Octet by octet: Swift's `==` finds texts equal that are not.
    private static func isSame(_ text: String, _ expected: String?) -> Bool {
        guard let expected else { return false }
        return text.utf8.elementsEqual(expected.utf8)
    }
}
