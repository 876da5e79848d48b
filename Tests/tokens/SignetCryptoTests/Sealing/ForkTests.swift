// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import ForkedChild
import Foundation
import SignetCrypto
import TestSupport
import Testing

/// In separate processes, where no other test holds a lock of libcrypto's or the allocator's at the
/// wrong moment.
@Suite("Sealing in a forked child")
struct ForkTests {
    static let count = 400
    static let key = TestSupport.key(repeating: 9, 32)
    static let plaintext: [UInt8] = Array("known to both".utf8)
    static var messageByteCount: Int { 12 + plaintext.count + 16 }

    static func messages() throws -> [[UInt8]] {
        try (0..<count).map { _ in try AESGCM.seal(plaintext, using: key) }
    }

    /// What a child of this kind seals.
    static func messages(ofChild kind: forked_child_kind) -> [[UInt8]]? {
        var bytes = [UInt8](repeating: 0, count: count * messageByteCount)
        let result = unsafe forked_child_run(
            kind,
            { target, room in
                guard let made = try? Array(ForkTests.messages().joined()), made.count == room,
                    let target = unsafe target
                else { return 1 }
                unsafe target.update(from: made, count: room)
                return 0
            }, &bytes, bytes.count)
        guard result == 0 else { return nil }
        return stride(from: 0, to: bytes.count, by: messageByteCount).map {
            Array(bytes[$0..<($0 + messageByteCount)])
        }
    }

    /// Ends this process, with 0 when everything is as it should be.
    static func check(_ kind: forked_child_kind) throws -> Never {
        // The contexts are there.
        var all = try messages()
        all += [try AESGCM.seal(plaintext, using: key)]
        for _ in 0..<3 {
            guard let child = messages(ofChild: kind) else { exit(1) }
            all += try messages()
            all += child
        }
        guard Set(all.map { Array($0.prefix(12)) }).count == all.count else { exit(2) }
        for message in all where try AESGCM.open(message, using: key) != plaintext { exit(3) }
        exit(0)
    }

    @Test("After fork no nonce repeats, and pooled contexts work in both processes")
    func fork() async {
        await #expect(processExitsWith: .success) { try ForkTests.check(forked_child_fork) }
    }

    @Test("After a raw clone no nonce repeats either")
    func clone() async {
        await #expect(processExitsWith: .success) { try ForkTests.check(forked_child_clone) }
    }
}
