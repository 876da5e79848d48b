// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// Comparison of values that an attacker must not learn byte by byte.
public enum ConstantTime {
    /// Whether both hold the same bytes. The time depends on the lengths only; the lengths
    /// themselves are not hidden.
    public static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        withSpan(of: a) { left in withSpan(of: b) { right in constantTimeEqual(left, right) } }
    }
}
