// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail

/// What a policy of one domain says about a text, beside what `hasSuffix` says.
struct BusinessDomainCheck: Sendable {
    let policy: BusinessEmailPolicy
    let text: String
    /// The name of the verdict, or the code of the reason for which the text is no address.
    let verdict: String

    func observation() -> AuditObservation {
        let found = policy.verdict(forUnverifiedText: text)
        switch found {
        case .malformed(let error):
            guard error.code.rawValue == verdict else { return differed(error.code.rawValue) }
            return .rejected(.malformed, error.description)
        default:
            guard found.name == verdict else { return differed(found.name) }
            return found.isAllowed ? .accepted : .rejected(.policy, found.name)
        }
    }

    private func differed(_ name: String) -> AuditObservation {
        .differed("\(name), not \(verdict)")
    }
}
