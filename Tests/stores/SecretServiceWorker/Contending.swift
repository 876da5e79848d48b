// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSecretService
import SignetVault

/// Several processes write one item that exists in two copies. Half of them write readable
/// attributes, so that they update different copies, and all remove the older one. They have two
/// state folders.
enum Contending {
    static let contenders = 4
    static let rounds = 20
    static let writes = 3
    static let swapped = ItemKey(service: "contended", account: "swapped")
    static let exclusive = ItemKey(service: "contended", account: "exclusive")

    static func store(_ round: Int, isPlain: Bool) throws -> SecretServiceStore {
        try makeStore(application: "contended-\(round)") { $0.plainAttributes = isPlain }
    }

    static func run() async throws {
        try await Daemon.start()
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let stores = try (0..<rounds).map { try store($0, isPlain: false) }
        for (round, store) in stores.enumerated() {
            try await store.set("0", for: swapped)
            try await makeSecondCopy(round)
        }
        let beginning = ItemTime.now + 1500
        let children = try (0..<contenders).map {
            // As a shell and a service have them: only the runtime folder is the same.
            try Child.worker(
                ["contender", "\($0)", "\(beginning)"], stateFolder: "\(home)/state-\($0 / 2)")
        }
        var reads = 0
        while children.contains(where: \.isRunning) {
            let current = ItemTime.now < beginning ? 0 : Int((ItemTime.now - beginning) / 200)
            let round = min(current, rounds - 1)
            let found = try await stores[round].entry(swapped)
            try check(found != nil, "round \(round): absent while others write it")
            reads += 1
        }
        for child in children {
            child.waitUntilExit()
            try check(child.terminationStatus == 0, "a contender failed")
        }
        let total = contenders * writes
        for (round, store) in stores.enumerated() {
            let swaps = try await store.get(swapped)?.string()
            try checkEqual(swaps, "\(total)", "round \(round): compare-and-swap")
            let counted = try await store.get(exclusive)?.string()
            try checkEqual(counted, "\(total)", "round \(round): exclusive access")
            // One copy of each item is left.
            try checkEqual(try await copies(round).count, 2, "round \(round): copies")
        }
        print(
            "\(rounds) rounds, \(rounds * total) swaps of \(contenders) processes, "
                + "\(reads) reads beside them: none lost, never absent")
    }

    /// One of those who write.
    static func contender() async throws {
        guard CommandLine.arguments.count == 4, let number = Int(CommandLine.arguments[2]),
            let beginning = UInt64(CommandLine.arguments[3])
        else { throw Failed(description: "arguments") }
        for round in 0..<rounds {
            let store = try store(round, isPlain: number.isMultiple(of: 2))
            while ItemTime.now < beginning + UInt64(round) * 200 { try await pause(0.0005) }
            for _ in 0..<writes {
                try await store.update(swapped) { old in
                    guard let old else { throw Failed(description: "absent before a swap") }
                    return SecretValue("\((Int(try old.string()) ?? 0) + 1)")
                }
                try check(try await store.entry(swapped) != nil, "absent after a swap")
            }
            for _ in 0..<writes {
                try await store.withExclusiveAccess(to: exclusive, within: .seconds(3_600)) {
                    let old = try await store.get(exclusive)?.string() ?? "0"
                    try await store.set("\((Int(old) ?? 0) + 1)", for: exclusive)
                }
            }
        }
    }

    private static func copies(_ round: Int) async throws -> [Raw.Item] {
        try await Raw.search(["signet:kind": "item", "signet:application": "contended-\(round)"])
    }

    /// The item once more, with the attributes that the other half writes.
    private static func makeSecondCopy(_ round: Int) async throws {
        guard let item = try await copies(round).first else {
            throw Failed(description: "no item to copy")
        }
        let plain = [
            "class": swapped.itemClass.rawValue, "service": swapped.service,
            "account": swapped.account, "access-group": swapped.accessGroup,
        ]
        try await Raw.store(
            item.text, item.attributes.merging(plain) { $1 }, alias: "login",
            schema: "signet.Item")
        try checkEqual(try await copies(round).count, 2, "copies")
    }

    /// A writer that is killed frees the others, and leaves the item whole.
    static func killedWriters() async throws {
        try await Daemon.start()
        let store = try store(0, isPlain: false)
        try await store.set("0", for: swapped)
        let rounds = 20
        for round in 1...rounds {
            let writer = try Child.worker(["endless-writer", "\(round)"])
            // Some are killed before their first write.
            try await pause(Double.random(in: 0...0.3))
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
            try check(try await store.entry(swapped) != nil, "absent after a kill")
            try await store.set("\(round)", for: swapped)
            try checkEqual(try await store.get(swapped)?.string(), "\(round)")
        }
        print("\(rounds) writers killed")
    }

    static func endlessWriter() async throws {
        let number = Int(CommandLine.arguments.last ?? "") ?? 0
        let store = try store(0, isPlain: number.isMultiple(of: 2))
        while true { try await store.set("-1", for: swapped) }
    }

    /// While another process has the write lock, a write ends with `busy` and nothing is written;
    /// reads go on.
    static func heldUp() async throws {
        try await Daemon.start()
        let store = try store(0, isPlain: false)
        try await store.set("0", for: swapped)
        let hasty = try makeStore(application: "contended-0") { $0.deadlineSeconds = 1 }
        let state = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let folder = state + "/.local/state/signet/locks"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try checkEqual(names.count, 1, "lock files")
        let file = unsafe open(folder + "/" + (names.first ?? ""), O_RDWR)
        try check(flock(file, LOCK_EX | LOCK_NB) == 0, "the write lock is held")
        do {
            try await hasty.set("1", for: swapped)
            throw Failed(description: "written while another process had the write lock")
        } catch let error as StoreError {
            // On a busy machine the deadline may be first.
            try check(error.code == .busy || error.code == .timedOut, "\(error)")
            print(error.code.rawValue)
        }
        try checkEqual(try await store.get(swapped)?.string(), "0")
        close(file)
        try await store.set("2", for: swapped)
    }
}
