// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetLogin
import TestSupport
import Testing

extension OpenIDProviderTests {
    /// An account of a program that starts so many hours later by its clock.
    private func account(
        after hours: Double = 0, at issuer: String, in folder: PrivateFolder
    ) throws -> LocalAccount {
        let clock = TimeSource(now: {
            NumericDate(
                secondsSince1970: TimeSource.peers.now().secondsSince1970 + hours * 3600)
        })
        return try LocalAccounts(
            application: "notes", keyring: nil,
            connection: ServerConnection(transport: CurlTransport.curl, clock: clock),
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data",
                "XDG_STATE_HOME": folder.path + "/state",
            ]
        ).account(at: .openID(issuer: issuer, clientID: "public"))
    }

    @Test(
        "A program's account at Authlib's server: a device's code, a refresh, and the end at both")
    func localAccount() async throws {
        let provider = try await OpenIDProvider.shared
        let folder = try PrivateFolder()
        let user = try await account(at: provider.issuer, in: folder).signIn(
            .device { prompt in
                guard case .deviceCode(let code) = prompt else { return }
                Task { try await provider.answer(code.userCode, approving: true) }
            })
        #expect(user.id == "alice" && user.issuer == provider.issuer)
        let first = try await account(at: provider.issuer, in: folder).token()
        let later = try account(after: 24, at: provider.issuer, in: folder)
        #expect(try await later.user().id == "alice")
        let second = try await later.token()
        #expect(second.exposedText != first.exposedText)
        #expect(try await later.signOut() == nil, "Authlib has revoked the token")
        await #expect(throws: LoginError.signedOut) { try await later.user() }
    }
}
