// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A file of the Wycheproof project, read whole.
struct WycheproofFile: Sendable {
    /// A test group: a key or parameters, and the tests on them.
    struct Group: Sendable {
        let object: VectorObject
        let tests: [WycheproofTest]
    }

    /// The file's name without `_test.json`.
    let name: String
    let schema: String
    /// The algorithm that the file names; JOSE files name none.
    let algorithm: String?
    let declaredCount: Int
    let groups: [Group]

    init(name: String, bytes: [UInt8]) throws(AuditError) {
        self.name = name
        let root = VectorObject(try FigureFile.document(bytes, name: name).root, place: name)
        schema = try root.optionalString("schema") ?? "no schema"
        algorithm = try root.optionalString("algorithm")
        declaredCount = try root.count("numberOfTests")
        // Nothing is known about the tests of other schemas, and they are not run.
        guard WycheproofFamily(schema: schema) != nil else {
            groups = []
            return
        }
        var groups: [Group] = []
        for (index, node) in try root.node("testGroups").elements.enumerated() {
            let object = VectorObject(node, place: "\(name): testGroups[\(index)]")
            var tests: [WycheproofTest] = []
            for test in try object.node("tests").elements {
                tests.append(
                    try WycheproofTest(VectorObject(test, place: object.place), group: object))
            }
            groups.append(Group(object: object, tests: tests))
        }
        self.groups = groups
    }
}

/// A test of a Wycheproof file.
struct WycheproofTest: Sendable {
    enum Label: String {
        case valid
        case invalid
        case acceptable
    }

    let object: VectorObject
    let group: VectorObject
    let id: Int
    let label: Label
    let flags: [String]

    init(_ object: VectorObject, group: VectorObject) throws(AuditError) {
        self.object = object
        self.group = group
        id = try object.integer("tcId")
        guard let label = Label(rawValue: try object.string("result")) else {
            throw object.malformed("result", because: "is not a known label")
        }
        self.label = label
        flags = try object.strings("flags")
    }
}
