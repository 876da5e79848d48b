// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SystemBridge

/// Writes secrets: to a file for its owner alone, or to standard output where the caller has asked for that.
enum SecretOutput {
    static func write(
        _ secret: borrowing SecretBytes, to path: String?, overwrite: Bool, endLine: Bool = true
    ) throws {
        var bytes = [UInt8]()
        bytes.reserveCapacity(secret.count + 1)
        secret.withExposedBytes { span in
            for index in span.indices { bytes.append(span[index]) }
        }
        if endLine, bytes.last != 0x0a { bytes.append(0x0a) }
        try write(bytes, to: path, overwrite: overwrite)
    }

    static func write(_ bytes: [UInt8], to path: String?, overwrite: Bool) throws {
        guard let path, path != "-" else { return Output.bytes(bytes) }
        do throws(SystemFailure) {
            try PrivateFile.write(bytes, to: path, overwrite: overwrite)
        } catch {
            var failure = CommandFailure(error)
            if !overwrite { failure.advice = "If the file may be replaced, say so with --force." }
            throw failure
        }
    }
}
