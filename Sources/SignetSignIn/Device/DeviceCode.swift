// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// What a person does on another device to sign this one in (RFC 8628, section 3.2). Printing it
/// shows no code.
public struct DeviceCode: Sendable, Redacted {
    /// What the person types there: printable ASCII, up to 64 characters.
    public let userCode: String
    /// Where they type it.
    public let verificationURI: EndpointURL
    /// The same with the code in it, for a QR code, where the provider gives one.
    public let completeVerificationURI: EndpointURL?
    /// How long the codes are good: 1 s to an hour, by what the provider says.
    public let lifetime: Duration
    /// How long to wait between two questions: 1 to 60 s.
    public let interval: Duration
    let exposedDeviceCode: String
}
