// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetJOSE

extension FigureFile {
    func mailbox(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let octets =
            if let text = try row.cells.optionalString("text") {
                Array(text.utf8)
            } else {
                try row.cells.bytes("oct")
            }
        let check = MailboxCheck(
            octets: octets, reason: try row.cells.optionalString("why"),
            localPart: try row.cells.optionalString("local"),
            domain: try row.cells.optionalString("domain"))
        return { check.observation() }
    }

    func businessDomain(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let domain = try row.cells.string("allow")
        let policy: BusinessEmailPolicy
        do throws(EmailPolicyError) {
            policy = try BusinessEmailPolicy(allowing: [.exact(domain)])
        } catch {
            throw row.cells.absent("allow", "is no domain that can be allowed")
        }
        let check = BusinessDomainCheck(
            policy: policy, text: try row.cells.string("text"),
            verdict: try row.cells.string("verdict"))
        return { check.observation() }
    }
}
