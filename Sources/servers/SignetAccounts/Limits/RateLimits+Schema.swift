// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension RateLimits {
    /// A row for each limit and subject.
    static let steps = [
        SchemaStep(
            "limits.1",
            statements: [
                """
                CREATE TABLE signet_limits (
                    key {bytes} NOT NULL PRIMARY KEY, full_until {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_limits_by_end ON signet_limits (full_until)",
            ])
    ]
}
