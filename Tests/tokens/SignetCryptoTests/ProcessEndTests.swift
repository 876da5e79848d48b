// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import TestSupport
import Testing

/// `exit` runs what libraries have registered for it while other threads go on.
@Suite("Process exit")
struct ProcessEndTests {
    /// Signs, verifies, seals and opens until the process ends; returns only on a wrong result.
    static func work() throws {
        let message = Array("computed until the end".utf8)
        let (elliptic, edwards) = (
            try ECPrivateKey.generate(curve: .p256), try Ed25519PrivateKey.generate()
        )
        let key = TestSupport.key(repeating: 9, 32)
        while true {
            let signature = try elliptic.signature(for: message, hash: .sha256)
            guard try elliptic.publicKey.isValidSignature(signature, for: message, hash: .sha256),
                try edwards.publicKey.isValidSignature(
                    edwards.signature(for: message), for: message),
                try AESGCM.open(AESGCM.seal(message, using: key), using: key) == message
            else { return }
        }
    }

    /// With libcrypto's own clean-up one in five such processes died of a segmentation fault.
    @Test("A process can exit while other threads compute", arguments: 0..<30)
    func whileOthersCompute(_ index: Int) async {
        // From the first call, which sets libcrypto up, to the steady state.
        let microseconds = UInt32(index * index * 20)
        await #expect(processExitsWith: .success) { [microseconds = microseconds as UInt32] in
            for _ in 0..<2 {
                Task.detached {
                    try? ProcessEndTests.work()
                    // An error is as bad as a crash: its reader takes it for a bad signature.
                    _exit(3)
                }
            }
            usleep(microseconds)
            exit(0)
        }
    }
}
