// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// One of a token's `authorization_details` (RFC 9396): what its client may do, by the rules of
/// ``type``.
///
/// Signet checks only the form. What the members allow, and whether a request stays within it, is
/// the program's business: grant nothing for a type that you do not know.
public struct AuthorizationDetail: Sendable {
    /// `type`, which says what the members mean.
    public let type: String
    /// All members, `type` included. To read them as a type of yours, decode
    /// `authorization_details` with ``VerifiedAccessToken/claims(as:)``.
    public let members: [String: JSONValue]

    /// Reads the claim; empty if it is absent or `null`.
    ///
    /// - Throws: `claimInvalid` if it is not an array of objects that each have a non-empty `type`,
    ///   or holds a number out of range.
    static func reading(_ claims: ClaimReader) throws(IdentityError) -> [AuthorizationDetail] {
        let claim = "authorization_details"
        guard let member = claims.member(claim) else { return [] }
        guard member.kind == .array else {
            throw ClaimReader.invalid(claim, message: "is not an array")
        }
        var details: [AuthorizationDetail] = []
        for element in member.elements {
            guard let type = element.text(of: "type"), !type.isEmpty else {
                throw ClaimReader.invalid(claim, message: "holds something without a \"type\"")
            }
            guard case .object(let members)? = try? JSONValue(element) else {
                throw ClaimReader.invalid(claim, message: "holds a number out of range")
            }
            details.append(AuthorizationDetail(type: type.swiftString(), members: members))
        }
        return details
    }
}
