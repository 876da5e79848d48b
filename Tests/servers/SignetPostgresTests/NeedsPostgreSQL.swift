// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips, with a message, if there is no PostgreSQL, unless SIGNET_REQUIRE_INTEROP asks for it.
    static var needsPostgreSQL: Self {
        .enabled(if: PostgresServer.isExpected, Comment(rawValue: PostgresServer.absence))
    }
}
