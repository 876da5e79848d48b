// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import TestSupport
import Testing

/// Four processes on one SQLite file, killed (SIGKILL) at random moments.
@Suite("Sessions among killed servers", .serialized)
struct KilledServerTests {
    @Test(
        "No token or code works twice, and no acknowledged session is lost",
        .tags(.sessionKills, .sampled))
    func nothingIsLost() async throws {
        let folder = try PrivateFolder()
        try await ServersAmongKills(.sqlite(path: folder.path + "/accounts"), in: folder).check(
            "servers on SQLite", kills: Effort.rounds(300), exchanges: Effort.rounds(10_000))
    }
}
