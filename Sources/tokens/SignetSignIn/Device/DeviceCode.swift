// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// The codes for a sign-in on another device (RFC 8628, section 3.2). Printing shows no code.
public struct DeviceCode: Sendable, Redacted {
    /// The code that the person types at ``verificationURI``: printable ASCII, up to 64 characters.
    public let userCode: String
    /// The page where the person types the code.
    public let verificationURI: EndpointURL
    /// The page's address with the code in it, for a QR code, if the provider gives it.
    public let completeVerificationURI: EndpointURL?
    /// How long the codes are valid: 1 s to an hour, as the provider says.
    public let lifetime: Duration
    /// The interval between two polls: 1 to 60 s.
    public let interval: Duration
    /// When the codes expire, by the elapsed time of the clock that begins and polls.
    let end: Duration
    let exposedDeviceCode: String
}
