// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetIdentity
import SignetJOSE
import SignetLogin
import TestSupport

/// A home, a keyring, a provider and a clock, and programs that share them.
struct AccountFixture {
    let clock = ManualClock()
    let keyring = StubKeyring()
    let issuer: StubIssuer
    let notices = Recorder<LoginNotice>()
    private let folder: PrivateFolder

    static let server = LoginServer.openID(
        issuer: StubIssuer.issuer, clientID: "notes", algorithms: [.es256])

    init() throws {
        folder = try PrivateFolder()
        issuer = try StubIssuer(clock: clock.source)
    }

    /// A program that starts now.
    ///
    /// - Parameter hasKeyring: whether the program uses a keyring at all.
    func program(
        hasKeyring: Bool = true, over transport: (any IdentityTransport)? = nil
    ) throws -> LocalAccounts {
        let manual = clock.source
        // A flow that polls waits for real time; nothing else does.
        let time = TimeSource(now: { manual.now() }, elapsed: { manual.elapsed() })
        let notices = notices
        let server: any IdentityTransport = transport ?? issuer
        return try LocalAccounts(
            application: "notes", keyring: hasKeyring ? keyring : nil,
            connection: ServerConnection(transport: server, clock: time),
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data",
                "XDG_STATE_HOME": folder.path + "/state",
            ]
        ) { notices.append($0) }
    }

    /// The account of a program that starts now.
    func account(_ name: String = "default", hasKeyring: Bool = true) throws -> LocalAccount {
        try program(hasKeyring: hasKeyring).account(name, at: Self.server)
    }

    /// The names of all files that a program has made, without lock files.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".signet") || $0.hasSuffix(".key") }.sorted()
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    static let main = "data/notes/sessions.signet"
    static let mainKey = "state/notes/sessions.key"
    static let second = "data/notes/sessions-file.signet"
    static let secondKey = "state/notes/sessions-file.key"
}

extension LocalAccount {
    /// Signs in on another device, whose person has approved by the first poll.
    @discardableResult
    func signIn() async throws -> User { try await signIn(.device { _ in }) }

    /// The code of asking who is signed in; nil if someone is.
    func failure() async -> LoginError.Code? { await SignetLoginTests.failure { try await user() } }
}

/// The code of a call's error; nil if there is none.
func failure(
    _ body: () async throws -> some Sendable
) async -> LoginError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? LoginError)?.code ?? LoginError.Code(rawValue: "\(error)")
    }
}
