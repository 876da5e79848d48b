// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

extension FigureFile {
    /// An address that must be read as stated, or be refused for the stated reason.
    func mailbox(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let octets =
            if let text = try row.cells.optionalString("text") {
                Array(text.utf8)
            } else {
                try row.cells.bytes("oct")
            }
        // Absent where the address must be accepted.
        let reason = try row.cells.optionalString("why")
        let localPart = try row.cells.optionalString("local")
        let domain = try row.cells.optionalString("domain")
        return {
            do throws(MailboxError) {
                let mailbox = try Mailbox(octets: octets)
                guard Self.isSame(mailbox.localPart, as: localPart),
                    Self.isSame(mailbox.domain.text, as: domain)
                else {
                    return .differed("another local part or domain came out")
                }
                return .accepted
            } catch {
                guard Self.isSame(error.code.rawValue, as: reason) else {
                    return .differed(
                        "refused as \(error.code.rawValue), not as \(reason ?? "nothing")")
                }
                return .rejected(.malformed, error.description)
            }
        }
    }

    /// The verdict that a policy with one allowed domain gives on a text.
    func businessDomain(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let domain = try row.cells.string("allow")
        let policy: BusinessEmailPolicy
        do throws(EmailPolicyError) {
            policy = try BusinessEmailPolicy(allowing: [.exact(domain)])
        } catch {
            throw row.cells.malformed("allow", because: "is no domain that can be allowed")
        }
        let text = try row.cells.string("text")
        // The name of the verdict, or the code of the reason why the text is no address.
        let stated = try row.cells.string("verdict")
        return {
            let found = policy.verdict(forUnverifiedText: text)
            guard case .malformed(let error) = found else {
                guard found.name == stated else { return .differed("\(found.name), not \(stated)") }
                return found.isAllowed ? .accepted : .rejected(.policy, found.name)
            }
            guard error.code.rawValue == stated else {
                return .differed("\(error.code.rawValue), not \(stated)")
            }
            return .rejected(.malformed, error.description)
        }
    }

    /// Compares octet by octet: Swift's `==` treats some texts with different octets as equal.
    private static func isSame(_ text: String, as expected: String?) -> Bool {
        expected.map { text.utf8.elementsEqual($0.utf8) } ?? false
    }
}
