// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A change of the tables, made once in each database.
///
/// Steps never change once they were released: the next change is a step of its own. A part keeps
/// its steps in one file of its own, and ``AccountSchema`` lists them.
public struct SchemaStep: Sendable {
    /// What the database remembers it by: the part and a number, `sessions.1`.
    public let name: String
    /// What it does, in one transaction.
    public let statements: [SQLStatement]

    /// A step.
    public init(_ name: String, _ statements: [SQLStatement]) {
        self.name = name
        self.statements = statements
    }
}
