// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Claims that only ID tokens have, by their types: the wrong type is an error and never counts as absent.
struct ClaimReader {
    let root: JSONNode

    /// A claim that is a string.
    func text(_ name: String) throws(IdentityError) -> ReceivedText? {
        guard let member = root.member(name) else { return nil }
        guard let text = member.text else { throw Self.invalid(name, "is not a string") }
        return text
    }

    /// A claim that is only shown: some issuers write `null` for "not known".
    func shownText(_ name: String) throws(IdentityError) -> String? {
        guard let member = root.member(name), !member.isNull else { return nil }
        return try text(name)?.swiftString()
    }

    /// A claim that is true or false.
    func bool(_ name: String) throws(IdentityError) -> Bool? {
        guard let member = root.member(name) else { return nil }
        guard let value = member.boolValue else { throw Self.invalid(name, "is neither true nor false") }
        return value
    }

    /// A claim that is a boolean, or text or a number that stands for one.
    func bool(_ name: String, true yes: [String], false no: [String]) throws(IdentityError) -> Bool? {
        guard let member = root.member(name) else { return nil }
        if let value = member.boolValue { return value }
        let written = member.text ?? member.int64Value.map { ReceivedText(String($0)) }
        guard let written else { throw Self.invalid(name, "is neither true nor false") }
        if written.isOne(of: yes) { return true }
        if written.isOne(of: no) { return false }
        throw Self.invalid(name, "is neither true nor false")
    }

    /// A claim that is a point in time.
    func date(_ name: String) throws(IdentityError) -> NumericDate? {
        guard let member = root.member(name) else { return nil }
        do throws(JSONError) {
            return try JSONTokenDecoder().decode(NumericDate.self, from: member)
        } catch {
            throw Self.invalid(name, "is not a number of seconds in range")
        }
    }

    static func invalid(_ claim: String, _ what: String) -> IdentityError {
        IdentityError(.claimInvalid, claim: claim, "The claim \"\(claim)\" \(what).")
    }
}
