// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE

// Links: an e-mail with a code has one too, if there is a `linkPage`. It leads to that page, or to
// another allowed one (`redirect_to`), with token_hash and type, which the page posts:
//
//     POST /verify  {"type":"email","token_hash":"…"}
//
// No GET takes a link, because programs that look through mail open it.
extension GoTrueService {
    /// The page of a message's link; nil where messages have none.
    func linkPage(
        _ request: GoTrueRequest, for purpose: CodePurpose
    ) throws(GoTrueRefusal) -> LinkPage? {
        guard let standard = options.linkPage, let pages = options.redirects,
            purpose == .signIn || purpose == .recovery
        else { return nil }
        let asked = try GoTrueQuery(request).value("redirect_to")?.swiftString() ?? standard
        guard options.allowsRedirect(asked) else {
            throw .invalid("redirect_to is not an allowed address")
        }
        // An app's scheme or a port of this machine may be another program's: a browser's return
        // there is bound to a verifier, and a link is not.
        let isPage = asked.utf8.starts(with: "https://".utf8)
        do {
            return try LinkPage(
                isPage ? asked : standard, allowedBy: pages,
                type: purpose == .recovery ? "recovery" : "email")
        } catch { throw .invalid("redirect_to is not an allowed address") }
    }

    /// `POST /verify` with the token of a link: the same answer for every link that is not good.
    func verifyLink(
        _ hash: String, type: ReceivedText?, body: GoTrueBody, request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        guard options.linkPage != nil, options.allowsEmail else {
            throw .invalid("This service sends no links")
        }
        guard try !body.namesDestination(), !body.hasMember("token") else {
            throw .invalid("Only the token_hash and type should be provided")
        }
        guard let type, let found = Self.linkPurposes.first(where: { type.isEqual(to: $0.type) })
        else { throw .invalid("No link of this type is sent") }
        let device = Device(request, body: body)
        let challenge = try shownChallenge(body)
        do throws(AccountError) {
            // A link cannot be guessed: strangers at the client's address cannot have it refused.
            return try await attempt(for: request, isBounded: true) {
                () async throws(AccountError) -> GoTrueResponse in
                try await self.response(
                    toLink: hash, purpose: found.purpose, challenge: challenge, device: device)
            }
        } catch {
            // The account was deleted since the link was sent, or never existed.
            throw error.code == .unknownUser ? .otpExpired : refusal(of: error)
        }
    }

    /// The response to a link; repeated for a used one if the client shows its challenge.
    private func response(
        toLink hash: String, purpose: CodePurpose, challenge: CodeChallenge?, device: Device
    ) async throws(AccountError) -> GoTrueResponse {
        guard let token = LinkToken(hash) else {
            throw AccountError(.wrongCode, "This is no link.")
        }
        let name = try challenge.map { (challenge) throws(AccountError) in
            try answers.name(
                ["link", purpose.name, challenge.text, hash].map { Array($0.utf8) })
        }
        let use = { () async throws(AccountError) -> GoTrueResponse in
            try await self.codes.verify(link: token, for: purpose) {
                (transaction, used, destination) async throws(AccountError) in
                // Who opens a link has not asked for it by that. A password or metadata of the
                // request counts only for a client that shows its challenge; this other one names
                // no request.
                let other = CodeChallenge(try used.challenge.messageID())
                let entered = EnteredCode(
                    text: hash, destination: destination, purpose: purpose,
                    challenge: challenge ?? other, device: device)
                let redeemed = try await self.redeem(entered, used: used, in: transaction)
                return try await self.response(to: redeemed, keptAs: name, in: transaction)
            }
        }
        guard let name else { return try await use() }
        return try await repeatingResponse(name, use)
    }
}
