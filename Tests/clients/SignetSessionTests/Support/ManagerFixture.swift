// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import Testing

/// A store, a server and a clock, and managers over them.
struct ManagerFixture {
    static let item = ItemKey.token(service: "api.example", account: "session")

    let store: any SecureStore
    let server: InMemorySessionServer
    let clock: ManualClock

    init(
        _ store: (any SecureStore)? = nil, lifetime: Duration = .seconds(3600),
        clock: ManualClock = ManualClock()
    ) {
        self.store = store ?? InMemoryStore(clock: clock.source)
        self.clock = clock
        server = InMemorySessionServer(lifetime: lifetime, clock: clock.source) {
            "{\"name\":\"secret name of \($0)\"}"
        }
    }

    func manager(
        refreshesAhead: Bool = false, over store: (any SecureStore)? = nil,
        account: String = "session", _ change: (inout SessionOptions) -> Void = { _ in }
    ) throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = refreshesAhead
        change(&options)
        return try SessionManager(
            store: store ?? self.store, service: "api.example", account: account, backend: server,
            options: options, clock: clock.source)
    }

    /// A manager with a session.
    func signedIn(refreshesAhead: Bool = false, over store: (any SecureStore)? = nil)
        async throws -> SessionManager
    {
        let manager = try manager(refreshesAhead: refreshesAhead, over: store)
        try await manager.adopt(server.signIn("user-1"))
        return manager
    }
}

extension ManagerFixture {
    /// What the store keeps; empty without an item.
    func storedText() async throws -> String {
        try await store.get(Self.item)?.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        } ?? ""
    }
}

extension SessionManager {
    /// The error code of asking for a token; nil for a token.
    func tokenFailure() async -> SessionError.Code? {
        do throws(SessionError) {
            _ = try await accessToken()
            return nil
        } catch {
            return error.code
        }
    }
}

/// Waits until a condition holds, as long as a starved machine may take.
func until(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<60_000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("what was waited for did not come")
}

/// What a store keeps of a session, to be damaged.
enum StoredText {
    static func session(
        version: Int = 1, id: String = "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
        accessToken: String = "a", userID: String = "u", obtained: String = "1",
        lifetime: String = "60"
    ) -> String {
        """
        {"version":\(version),"session":\(id),"accessToken":"\(accessToken)",\
        "refreshToken":"refresh-user-1-1","userID":"\(userID)","obtained":\(obtained),\
        "lifetime":\(lifetime)}
        """
    }
}
