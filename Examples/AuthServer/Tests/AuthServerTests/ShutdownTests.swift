// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import ServiceLifecycle
import Testing

@Suite("The server's shutdown", .timeLimit(.minutes(20)))
struct ShutdownTests {
    @Test("A request under way is finished, and no new connection is accepted")
    func finishesWhatIsUnderWay() async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let (gate, opensGate) = AsyncStream.makeStream(of: Void.self)
        // Without an outbox, the sign-in makes the next transaction.
        try await World.with(World.Options(settings: ["AUTH_CODES_FILE": ""])) { world in
            world.database.wait {
                hasBegun.yield()
                for await _ in gate { break }
            }
            let token = try world.issuer.idToken(MintRequest(person: .ada))
            async let answer = world.presents(token)
            for await _ in begun { break }
            await world.group.triggerGracefulShutdown()
            // It accepts no new connection, and the open one is answered.
            try await world.eventually {
                (try? await world.client.send("GET", "/health", seconds: 1).status) == nil
            }
            opensGate.yield()
            #expect(try await answer.status == 200)
        }
    }
}
