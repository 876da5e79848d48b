// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge
package import SignetMemory
package import Testing

/// What kind of failure `body` threw, or nil when it threw none. The queue of errors is empty afterwards either way.
package func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> OpenSSLFailure.Kind? {
    defer {
        #expect(
            ErrorQueue.isEmpty, "an error was left in the queue", sourceLocation: sourceLocation)
        ErrorQueue.clear()
    }
    do {
        try body()
        return nil
    } catch let failure as OpenSSLFailure {
        return failure.kind
    } catch {
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}

/// Array forms of what takes or gives spans and storage.
package func secret(_ bytes: [UInt8]) -> SecretStorage { SecretStorage(copying: bytes.span) }

package func exposed(_ storage: SecretStorage) -> [UInt8] { storage.withBytes { $0.copied() } }

package func privateKey(_ der: [UInt8], as structure: KeyHandle.PrivateStructure = .pkcs8) throws
    -> KeyHandle
{
    try KeyHandle.decode(der.span, as: structure)
}

package func sign(_ key: KeyHandle, _ scheme: SignatureScheme, _ message: [UInt8]) throws -> [UInt8]
{
    try key.signature(for: message.span, under: scheme)
}
