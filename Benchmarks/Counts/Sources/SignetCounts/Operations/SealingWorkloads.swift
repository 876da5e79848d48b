// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

/// Authenticated encryption with a random nonce for each message.
enum SealingWorkloads {
    static func all() -> [Workload] { [64, 16_384].flatMap(workloads) }

    private static func workloads(_ count: Int) -> [Workload] {
        // 1 024 take a pool of nonces through whole turns.
        let iterations = count > 1024 ? 64 : 1024
        let plain = [UInt8](repeating: 0x61, count: count)
        return [
            Workload("aes256gcm.seal.\(count)", iterations) {
                let key = SecretKey(copying: PublishedKeys.hmac)
                return { try AESGCM.seal(plain, using: key).count == count + 28 }
            },
            Workload("aes256gcm.open.\(count)", iterations) {
                let key = SecretKey(copying: PublishedKeys.hmac)
                let sealed = try AESGCM.seal(plain, using: key)
                return { try AESGCM.open(sealed, using: key).count == count }
            },
            Workload("xaes256gcm.seal.\(count)", iterations) {
                let key = SecretKey(copying: PublishedKeys.hmac)
                return { try XAES256GCM.seal(plain, using: key).count == count + 40 }
            },
            Workload("xaes256gcm.open.\(count)", iterations) {
                let key = SecretKey(copying: PublishedKeys.hmac)
                let sealed = try XAES256GCM.seal(plain, using: key)
                return { try XAES256GCM.open(sealed, using: key).count == count }
            },
        ]
    }
}
