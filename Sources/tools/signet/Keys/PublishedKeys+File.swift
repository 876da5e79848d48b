// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

extension PublishedKeys {
    /// The published keys in a file. Reports on standard error which are left out.
    ///
    /// - Parameter parse: reads the file's content.
    static func read(
        _ path: String, parse: ([UInt8]) throws(KeyError) -> PublishedKeys
    ) throws -> PublishedKeys {
        let bytes = try Input.bytes(path, maximumByteCount: KeySet.maximumByteCount)
        do {
            let published = try parse(bytes)
            Output.leftOut(published.keys.skipped)
            return published
        } catch {
            var failure = CommandFailure(error, in: path)
            let shape = InputShape(of: bytes.span)
            if error.code == .malformed, shape == .pem || shape == .der || shape == .json {
                failure.advice =
                    "It holds the keys as they are published, a JWK set. To make one of a key: "
                    + "signet jwk public --key \(Input.quoted(path))"
            }
            throw failure
        }
    }
}
