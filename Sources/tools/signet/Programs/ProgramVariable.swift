// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// A variable of a program's environment, and the item with its value: `NAME=SERVICE/ACCOUNT`.
struct ProgramVariable {
    let name: String
    let item: ItemName

    /// The variables that the texts name, in their order; at least one, and each once.
    static func all(_ texts: [String]) throws -> [ProgramVariable] {
        try require(
            !texts.isEmpty, otherwise: "Name the variables.", advice: "--env NAME=SERVICE/ACCOUNT")
        let all = try texts.map(ProgramVariable.init)
        var names: Set<String> = []
        for variable in all {
            try require(
                names.insert(variable.name).inserted,
                otherwise: "The variable \(shown: variable.name) is given twice.")
        }
        return all
    }

    private init(_ text: String) throws {
        // By bytes, because "=" and a combining mark after it are another Character.
        let bytes = text.utf8
        let start = bytes.prefix { $0 != UInt8(ascii: "=") }
        // The text is not shown: it may be a secret.
        guard start.count < bytes.count else {
            throw CommandFailure.usage("--env takes NAME=SERVICE/ACCOUNT.", advice: Self.source)
        }
        name = String(decoding: start, as: UTF8.self)
        try require(
            VariableName.isName(name), otherwise: "A variable's name is [A-Za-z_][A-Za-z0-9_]*.",
            advice: "--env NAME=SERVICE/ACCOUNT")
        do {
            item = try ItemName.checked(
                String(decoding: bytes.dropFirst(start.count + 1), as: UTF8.self),
                as: "The item of \(shown: name)")
        } catch var failure as CommandFailure {
            failure.advice = Self.source
            throw failure
        }
    }

    private static let source =
        "SERVICE/ACCOUNT names the item that has the value: the last / divides, and neither part "
        + "is empty. 'signet vault list' shows what there is."

    /// The variable with the item's value.
    func read(from store: any SecureStore, kind: ItemKindOptions) throws -> SecretVariable {
        let key = item.key(kind)
        guard let found = try waiting({ try await store.entry(key) }) else {
            throw CommandFailure.refused(
                "absent", "There is no item for \(shown: name).",
                advice: "'signet vault list' shows what there is. Nothing was started.")
        }
        let variable = found.value.withExposedBytes { SecretVariable(name: name, value: $0) }
        guard let variable else {
            throw CommandFailure.refused(
                "zeroByte",
                "The value for \(shown: name) holds a zero byte, at which a variable ends.",
                advice: "Give such a value in a file: signet vault get. Nothing was started.")
        }
        return variable
    }
}
