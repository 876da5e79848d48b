// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import SignetPlatform
import Synchronization

/// A prompt that waits on its own thread: reading blocks, and must not hold a thread that other
/// tests share.
final class Asking: Sendable {
    private let answer = Mutex<Result<[UInt8], SystemFailure>?>(nil)
    private let isAnswered = DispatchSemaphore(value: 0)

    /// - Parameter blocksSignals: whether its thread blocks all signals, as those of Dispatch do.
    init(_ device: String, limit: Int, blocksSignals: Bool = false) {
        Thread.detachNewThread { [self] in
            if blocksSignals {
                var all = sigset_t()
                _ = unsafe sigfillset(&all)
                _ = unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
            }
            let result = Result { () throws(SystemFailure) in
                try Terminal.readPassphrase(
                    prompt: "Passphrase: ", maximumByteCount: limit, device: device
                )
                .copyToArray()
            }
            answer.withLock { $0 = result }
            isAnswered.signal()
        }
    }

    /// What was answered, once it was; at most ten minutes from now.
    func value() throws -> [UInt8] {
        _ = isAnswered.wait(timeout: .now() + 600)
        guard let result = answer.withLock({ $0 }) else {
            throw TestError("no answer within ten minutes")
        }
        return try result.get()
    }
}
