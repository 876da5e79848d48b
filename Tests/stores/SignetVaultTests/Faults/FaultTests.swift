// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

/// A whole vault on a disk that fails at every operation in turn.
@Suite("A vault on a failing disk")
struct FaultTests {
    /// A vault as every round finds it, made once.
    private struct Beginning {
        let folder: PrivateFolder
        let bytes: Data

        init() throws {
            folder = try PrivateFolder()
            try Workload.make(at: folder.path + "/vault")
            bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/vault"))
        }

        /// A copy of its own for one round.
        func copy() throws -> (folder: PrivateFolder, path: String) {
            let folder = try PrivateFolder()
            let path = folder.path + "/vault"
            guard
                FileManager.default.createFile(
                    atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            return (folder, path)
        }
    }

    private static func options(_ world: FaultWorld) -> VaultOptions {
        var options = VaultOptions()
        options.fileSystemName = world.name
        options.busyTimeoutMilliseconds = 1000
        return options
    }

    /// How many operations that change the disk the whole workload takes.
    private func operationCount(_ beginning: Beginning) throws -> Int {
        let (folder, path) = try beginning.copy()
        let world = try FaultWorld()
        let outcome = Workload.run(path, Self.options(world))
        #expect(outcome.error == nil && outcome.acknowledged == Workload.steps.count)
        #expect(try Workload.content(of: path) == Workload.steps.last?.content)
        withExtendedLifetime(folder) {}
        return world.count()
    }

    private func check(_ path: String, _ outcome: Workload.Outcome, _ round: String) {
        do {
            let content = try Workload.content(of: path)
            #expect(
                Workload.allowed(after: outcome.acknowledged).contains(content),
                "\(round): after \(outcome.acknowledged) steps the vault holds \(content.keys.sorted())"
            )
        } catch {
            Issue.record("\(round): after \(outcome.acknowledged) steps: \(error)")
        }
        // Where it stopped, it stopped with an error that a program can act on: never "absent" or
        // "corrupt".
        if let error = outcome.error {
            #expect((error as? StoreError)?.code == .unavailable, "\(round): \(error)")
        }
    }

    @Test(
        "An operation that fails, once or for good, leaves the old or the new state",
        .tags(.faultPoints, .sampled), arguments: [FaultWorld.Fault.fail, .full, .short],
        [false, true])
    func failures(fault: FaultWorld.Fault, forGood: Bool) throws {
        let beginning = try Beginning()
        let count = try operationCount(beginning)
        for n in Effort.cases(Array(1...count), oneOf: 32) {
            let (folder, path) = try beginning.copy()
            let world = try FaultWorld()
            world.arm(fault, at: n, forGood: forGood)
            let outcome = Workload.run(path, Self.options(world))
            #expect(world.faultCount > 0)
            check(path, outcome, "\(fault) \(n) \(world.lastFault)")
            withExtendedLifetime(folder) {}
        }
        print(
            "vault: \(fault) \(forGood ? "for good" : "once") at each of \(count) operations: old or new each time"
        )
    }

    @Test(
        "After a temporary failure the same vault continues", .tags(.faultPoints, .sampled),
        arguments: [FaultWorld.Fault.fail, .full, .short])
    func goesOn(fault: FaultWorld.Fault) throws {
        let beginning = try Beginning()
        let count = try operationCount(beginning)
        for n in Effort.cases(Array(1...count), oneOf: 32) {
            let (folder, path) = try beginning.copy()
            let world = try FaultWorld()
            let vault = try FileVault.open(at: path, options: Self.options(world))
            try vault.unlock(with: Workload.method)
            world.arm(fault, at: n)
            for step in Workload.steps {
                // A write with an unknown outcome may be there already; each step can be repeated.
                do { try step.run(vault) } catch { try step.run(vault) }
            }
            vault.close()
            #expect(
                try Workload.content(of: path) == Workload.steps.last?.content,
                "\(fault) \(n) \(world.lastFault)")
            withExtendedLifetime(folder) {}
        }
    }

    @Test(
        "A power cut during any operation loses nothing acknowledged",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases, [1, 2] as [UInt64])
    func powerCuts(cut: FaultWorld.Cut, seed: UInt64) throws {
        let beginning = try Beginning()
        let count = try operationCount(beginning)
        var lost = 0
        for n in Effort.cases(Array(1...count), oneOf: 32) {
            let (folder, path) = try beginning.copy()
            let world = try FaultWorld()
            world.armCut(cut, at: n, seed: seed &* 100_003 &+ UInt64(n))
            let outcome = Workload.run(path, Self.options(world))
            #expect(world.isOff)
            lost += world.lostBytes
            check(path, outcome, "\(cut) \(n)")
            withExtendedLifetime(folder) {}
        }
        print(
            "vault: power cut (\(cut), seed \(seed)) at each of \(count) operations: \(lost) bytes lost, old or new each time"
        )
    }

    @Test(
        "A disk that lies about sync leaves an earlier state, or damage that is noticed",
        .tags(.faultPoints, .sampled))
    func lies() throws {
        let beginning = try Beginning()
        let count = try operationCount(beginning)
        let states = [Workload.initial] + Workload.steps.map(\.content)
        var older = 0
        var damaged = 0
        for n in Effort.cases(Array(1...count), oneOf: 32) {
            let (folder, path) = try beginning.copy()
            let world = try FaultWorld()
            world.arm(.lie, at: n, of: .sync, forGood: true)
            let outcome = Workload.run(path, Self.options(world))
            world.powerCut(.keepSome, seed: UInt64(n))
            do {
                let content = try Workload.content(of: path)
                #expect(states.contains(content), "\(n)")
                if content != states[outcome.acknowledged] { older += 1 }
            } catch is StoreError {
                damaged += 1
            } catch is Workload.Unclean {
                damaged += 1
            }
            withExtendedLifetime(folder) {}
        }
        print("vault: lying disk, \(count) rounds: \(older) found older, \(damaged) found damaged")
    }
}
