// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// Compares secrets without leaking through timing where they differ.
public enum ConstantTime {
    /// Whether two collections hold the same bytes. The time depends only on the lengths, which are
    /// not hidden.
    public static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        withSpan(of: a) { left in withSpan(of: b) { right in constantTimeEqual(left, right) } }
    }
}
