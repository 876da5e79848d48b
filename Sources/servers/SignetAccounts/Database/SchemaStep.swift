// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A change of the tables, made once in each database.
///
/// Steps never change once they were released: the next change is a step of its own. A part keeps
/// its steps in a file of its own, and ``AccountSchema`` lists them.
public struct SchemaStep: Sendable {
    /// The name by which the database remembers the step: the part and a number, `sessions.1`. A
    /// step of another product has the product's name and a slash before that, `gotrue/users.1`,
    /// and only that product checks it.
    public let name: String
    /// The statements of the change, which run in one transaction.
    public let statements: [SQLStatement]
    /// The step of another product that made the same change before this part existed. A database
    /// with that step does not need this step.
    let formerName: String?

    /// A step.
    public init(_ name: String, statements: [SQLStatement]) {
        self.init(name, before: nil, statements: statements)
    }

    init(_ name: String, before formerName: String?, statements: [SQLStatement]) {
        self.name = name
        self.formerName = formerName
        self.statements = statements
    }

    /// Whether a step of this name made the same change.
    func isDone(as name: String) -> Bool {
        self.name.utf8.elementsEqual(name.utf8)
            || formerName.map { $0.utf8.elementsEqual(name.utf8) } == true
    }

    /// The product that a step belongs to, with its slash; empty for Signet's accounts.
    static func owner(of name: String) -> Substring.UTF8View {
        let octets = name.utf8[...]
        guard let slash = octets.firstIndex(of: UInt8(ascii: "/")) else { return octets.prefix(0) }
        return octets[...slash]
    }
}
