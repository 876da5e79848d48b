// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// The page of a program to which the link of a message leads.
///
/// The page posts the link's `token_hash` to a route of yours, which gives it to
/// ``OneTimeCodes/verify(link:for:then:)``. Let it do so when the person presses a button, and never
/// let a GET do it: programs that look through mail open links. It should also keep its address
/// from others (`Referrer-Policy: no-referrer`).
public struct LinkPage: Sendable {
    private let address: String
    private let type: String?

    /// Makes a page of an address that a request or a setting names.
    ///
    /// - Parameters:
    ///   - address: the page's address, which may have a query.
    ///   - pages: the allow list, which has this address octet for octet.
    ///   - type: the value of the link's parameter `type`; nil for none.
    /// - Throws: `invalidDestination` (400) for an address that is not in the list.
    public init(
        _ address: String, allowedBy pages: RedirectURIs, type: String? = nil
    ) throws(AccountError) {
        guard pages.allows(address) else {
            throw AccountError(.invalidDestination, "The page of a link is not an allowed address.")
        }
        self.address = address
        self.type = type
    }

    func link(with token: LinkToken) -> String {
        let separator = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let parameters = [("token_hash", token.exposedText)] + (type.map { [("type", $0)] } ?? [])
        return address + separator + FormEncoding.encode(parameters)
    }
}
