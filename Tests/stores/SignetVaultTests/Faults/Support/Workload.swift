// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport

/// A short life of a vault that covers every write path, and its expected content after each step.
struct Workload {
    typealias Content = [String: String]

    /// The unlock method has no derivation, so that thousands of rounds take no time.
    static let method = RawKeyUnlock(SecretKey(copying: [UInt8](repeating: 0x5A, count: 32)))
    /// A second method, which a step adds.
    static let second = RawKeyUnlock(SecretKey(copying: [UInt8](repeating: 0xA5, count: 32)))

    /// What a step does, and the content after it.
    struct Step: Sendable {
        let name: String
        let content: Content
        let run: @Sendable (FileVault) throws -> Void
    }

    static func key(_ account: String) -> ItemKey { ItemKey(service: "fault", account: account) }

    /// The content before the first step.
    static let initial: Content = ["kept": "from before"]

    static let steps: [Step] = {
        var content = initial
        var steps = [Step]()
        func add(
            _ name: String, _ change: (inout Content) -> Void,
            _ run: @escaping @Sendable (FileVault) throws -> Void
        ) {
            change(&content)
            steps.append(Step(name: name, content: content, run: run))
        }
        add("set", { $0["a"] = "first" }) {
            try $0.set(SecretValue("first"), for: key("a"), details: nil)
        }
        add("replace", { $0["a"] = "second" }) {
            try $0.set(SecretValue("second"), for: key("a"), details: nil)
        }
        let large = String(repeating: "large ", count: 3000)
        add("large", { $0["large"] = large }) {
            try $0.set(SecretValue(large), for: key("large"), details: nil)
        }
        add(
            "batch",
            { content in for number in 0..<6 { content["b\(number)"] = "batch \(number)" } },
            { vault in
                try vault.put(
                    (0..<6).map { NewItem(key: key("b\($0)"), value: SecretValue("batch \($0)")) })
            })
        add("remove", { $0["b2"] = nil }) { _ = try $0.remove(key("b2")) }
        add("slot", { _ in }) { _ = try $0.addSlot(second) }
        add("rotate data key", { _ in }) { try $0.rotateDataKey() }
        add("rotate root key", { _ in }) { try $0.rotateRootKey(keeping: [method, second]) }
        add("last", { $0["last"] = "word" }) {
            try $0.set(SecretValue("word"), for: key("last"), details: nil)
        }
        return steps
    }()

    /// Makes the vault that every round starts from.
    static func make(at path: String) throws {
        let vault = try FileVault.create(at: path, with: method)
        try vault.set(SecretValue("from before"), for: key("kept"), details: nil)
        vault.close()
    }

    /// How far it came: the acknowledged steps, and the next one's error.
    struct Outcome {
        var acknowledged = 0
        var error: (any Error)?
    }

    /// Continues until the first error.
    static func run(_ path: String, _ options: VaultOptions) -> Outcome {
        var outcome = Outcome()
        do {
            let vault = try FileVault.open(at: path, options: options)
            defer { vault.close() }
            try vault.unlock(with: method)
            for step in steps {
                try step.run(vault)
                outcome.acknowledged += 1
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    /// Everything in a vault, verified first.
    static func content(of path: String) throws -> Content {
        let vault = try FileVault.open(at: path)
        defer { vault.close() }
        try vault.unlock(with: method)
        let report = try vault.verify()
        guard report.isClean else { throw Unclean(findings: report.findings) }
        var content = Content()
        for item in try vault.allItems() {
            content[item.key.account] = try vault.entry(item.key)?.value.string()
        }
        return content
    }

    struct Unclean: Error {
        let findings: [VaultReport.Finding]
    }

    /// The contents that are right after this many acknowledged steps: the next one may have been
    /// saved without its caller knowing.
    static func allowed(after acknowledged: Int) -> [Content] {
        let all = [initial] + steps.map(\.content)
        return all.indices.filter { $0 == acknowledged || $0 == acknowledged + 1 }.map { all[$0] }
    }
}
