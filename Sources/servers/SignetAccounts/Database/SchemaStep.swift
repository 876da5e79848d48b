// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A change of the tables, made once in each database.
///
/// Steps never change once they were released: the next change is a step of its own. A part keeps
/// its steps in one file of its own, and ``AccountSchema`` lists them.
public struct SchemaStep: Sendable {
    /// What the database remembers it by: the part and a number, `sessions.1`. Steps of another
    /// product have its name and a slash before that, `gotrue/users.1`, and are its own affair.
    public let name: String
    /// What it does, in one transaction.
    public let statements: [SQLStatement]
    /// The step of another product that did the same before this part was its own. A database in
    /// which that was done has no need of this one.
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

    /// Whether it was done by a step of this name.
    func isDone(as name: String) -> Bool {
        self.name.utf8.elementsEqual(name.utf8)
            || formerName.map { $0.utf8.elementsEqual(name.utf8) } == true
    }

    /// The product that a step belongs to, with its slash; empty for this one.
    static func owner(of name: String) -> Substring.UTF8View {
        let octets = name.utf8[...]
        guard let slash = octets.firstIndex(of: UInt8(ascii: "/")) else { return octets.prefix(0) }
        return octets[...slash]
    }
}
