// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetBase
import TestSupport
import Testing

/// Four processes on one PostgreSQL, killed (SIGKILL) at random moments, while their connections
/// are ended, and the server itself is killed once.
@Suite("Sessions among killed servers and a killed PostgreSQL", .needsPostgreSQL)
struct PostgresKilledServerTests {
    @Test(
        "No token or code works twice, and no acknowledged session is lost",
        .tags(.postgres))
    func nothingIsLost() async throws {
        let server = try PostgresServer.make()
        let folder = try PrivateFolder()
        let ended = Locked(0)
        let crashes = Locked(0)
        try await ServersAmongKills(try server.place(), in: folder).check(
            "servers on PostgreSQL", kills: Effort.rounds(300), exchanges: Effort.rounds(10_000)
        ) { done in
            if done > 0.5, crashes.withLock({ $0 }) == 0 {
                crashes.withLock { $0 += 1 }
                server.stop(SIGKILL)
                try server.start()
            }
            let count = try server.terminate(1, where: "true")
            ended.withLock { $0 += count }
        }
        print(
            "servers on PostgreSQL: \(ended.withLock { $0 }) connections ended, "
                + "\(crashes.withLock { $0 }) crash of the server")
        server.stop()
    }
}
