// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// Reads a device authorization endpoint's response (RFC 8628, section 3.2).
///
/// The user code and the addresses appear on a terminal, so only printable ASCII is accepted.
struct DeviceCodeAnswer {
    private static let maximumUserCodeByteCount = 64
    private static let maximumDeviceCodeByteCount = 4_096

    private let root: JSONNode
    private let isLoopback: Bool

    /// - Parameter endpoint: if it is https, addresses must be https too.
    init(_ root: JSONNode, from endpoint: EndpointURL) {
        self.root = root
        isLoopback = endpoint.scheme == "http"
    }

    /// - Parameter start: when the codes were requested, from which their lifetime counts.
    func deviceCode(requestedAt start: Duration) throws(AuthorizationError) -> DeviceCode {
        guard let device = text("device_code", maximumByteCount: Self.maximumDeviceCodeByteCount),
            let user = text("user_code", maximumByteCount: Self.maximumUserCodeByteCount)
        else {
            throw Self.invalid("has no \"device_code\" and \"user_code\" of printable ASCII")
        }
        // Google writes "url".
        guard let address = address("verification_uri") ?? address("verification_url") else {
            throw Self.invalid("has no \"verification_uri\" that a person may be sent to")
        }
        guard let lifetime = seconds("expires_in", from: 1, to: 3_600) else {
            throw Self.invalid("has no \"expires_in\" that is a number of seconds")
        }
        // Without "interval" the pause is 5 s (section 3.2).
        return DeviceCode(
            userCode: user, verificationURI: address,
            completeVerificationURI: self.address("verification_uri_complete"),
            lifetime: lifetime, interval: seconds("interval", from: 1, to: 60) ?? .seconds(5),
            end: start + lifetime, exposedDeviceCode: device)
    }

    /// Printable ASCII; nil if it is absent, empty, too long or anything else.
    private func text(_ name: String, maximumByteCount: Int) -> String? {
        guard let text = root.member(name)?.text, (1...maximumByteCount).contains(text.byteCount),
            text.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return nil }
        return text.swiftString()
    }

    /// An address that a person may be sent to; nil if it is absent or anything else.
    private func address(_ name: String) -> EndpointURL? {
        guard let text = text(name, maximumByteCount: EndpointURL.maximumByteCount),
            let url = try? EndpointURL(text), url.scheme == "https" || isLoopback
        else { return nil }
        return url
    }

    /// A number of seconds, moved into the range; nil if there is none.
    private func seconds(_ name: String, from least: Double, to most: Double) -> Duration? {
        root.member(name)?.seconds.map { .seconds(min(max($0.rounded(.down), least), most)) }
    }

    private static func invalid(_ what: ErrorMessage) -> AuthorizationError {
        AuthorizationError(
            .invalidResponse, "The device authorization endpoint's answer \(what).")
    }
}
