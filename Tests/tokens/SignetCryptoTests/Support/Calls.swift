// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import Testing

/// The error that `body` threw, or nil when it threw none. libcrypto's queue is empty afterwards either way.
func error(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> CryptographyError? {
    defer {
        #expect(
            ErrorQueue.isEmpty, "an error was left in the queue", sourceLocation: sourceLocation)
        ErrorQueue.clear()
    }
    do {
        try body()
        return nil
    } catch let error as CryptographyError {
        return error
    } catch {
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}

/// The code of the error that `body` threw, or nil when it threw none.
func code(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> CryptographyError.Code? {
    error(sourceLocation: sourceLocation, body)?.code
}

func exposed(_ key: SecretKey) -> [UInt8] {
    key.withExposedBytes { bytes in
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        return copy
    }
}
