// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import Testing

/// An app, which waits where it is told to.
final class AppClient: AuthFlowClient {
    struct State {
        var sent: [String] = []
        var deleted: [String] = []
        var profiles: Set<[UInt8]> = []
        var unlocks: [@Sendable () throws -> Void] = []
        var locks: (@Sendable () -> Void)?
        var reads: (@Sendable (SessionUser) -> Void)?
    }

    let server: InMemorySessionServer
    let state = Locked(State())
    let line = HoldingPoint()

    init(_ server: InMemorySessionServer) { self.server = server }

    func sendCode(to destination: AuthFlow.Destination) async throws(AuthFlow.Failure) {
        await line.wait()
        do { try await server.sendCode(to: destination.text) } catch { throw .offline }
        state.withLock { $0.sent.append(destination.text) }
    }

    func verify(
        _ code: AuthFlow.Code, sentTo destination: AuthFlow.Destination
    ) async throws(AuthFlow.Failure) -> SessionGrant {
        await line.wait()
        let text = code.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        do {
            return try await server.signIn(
                withCode: text, sentTo: destination.text, as: "user-1")
        } catch {
            throw .codeRejected
        }
    }

    func signIn(at provider: AuthFlow.Provider) async throws(AuthFlow.Failure) -> SessionGrant {
        await line.wait()
        do { return try server.signIn(provider.rawValue) } catch { throw .signInFailed }
    }

    func deleteAccount(with token: AccessToken) async throws(AuthFlow.Failure) {
        await line.wait()
        state.withLock { $0.deleted.append(token.exposedText) }
    }

    func user(of session: SessionUser) -> (user: AuthFlow.User, hasProfile: Bool)? {
        state.withLock { $0.reads }?(session)
        return AuthFlow.UserID(session.id).map { (AuthFlow.User(id: $0), false) }
    }

    func hasProfile(
        _ user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure) -> Bool {
        await line.wait()
        return state.withLock { $0.profiles.contains(user.id.bytes) }
    }

    func save(
        _ profile: AuthFlow.ProfileDraft, of user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure) {
        guard profile.username != nil else { throw .usernameTaken }
        state.withLock { _ = $0.profiles.insert(user.id.bytes) }
    }

    func unlockStore() async throws(AuthFlow.Failure) {
        await line.wait()
        let unlock = state.withLock { $0.unlocks.isEmpty ? nil : $0.unlocks.removeFirst() }
        do { try unlock?() } catch { throw .stillLocked }
    }

    func lockStore() async { state.withLock { $0.locks }?() }
}

/// A driver over a manager, and what is around them.
struct DriverFixture {
    static let phone = "+41790000000"
    let managers: ManagerFixture
    let client: AppClient

    init(_ managers: ManagerFixture = ManagerFixture()) {
        self.managers = managers
        client = AppClient(managers.server)
    }

    func driver(
        _ configuration: AuthFlow.Configuration = .init(), legacy: LegacyMigration? = nil
    ) throws -> AuthFlowDriver {
        try AuthFlowDriver(
            configuration, manager: managers.manager(), client: client, legacy: legacy)
    }

    /// The code that the server sent.
    func code() throws -> AuthFlow.Code {
        try #require(managers.server.code(sentTo: Self.phone).flatMap(AuthFlow.Code.init))
    }

    /// A driver that is signed in with a code.
    func signedIn(_ configuration: AuthFlow.Configuration = .init()) async throws -> AuthFlowDriver
    {
        let driver = try driver(configuration)
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        await driver.ask(.sendCode(try #require(AuthFlow.Destination(Self.phone))))
        try await until { driver.current.simple == .unauthenticated && !driver.current.isBusy }
        await driver.ask(.verify(try code()))
        try await until { driver.current.user != nil }
        return driver
    }
}
