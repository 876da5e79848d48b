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

    func deviceCode() throws(AuthorizationError) -> DeviceCode {
        guard let device = text("device_code", Self.maximumDeviceCodeByteCount),
            let user = text("user_code", Self.maximumUserCodeByteCount)
        else {
            throw Self.invalid("has no \"device_code\" and \"user_code\" of printable ASCII")
        }
        // Google writes "url".
        guard let address = address("verification_uri") ?? address("verification_url") else {
            throw Self.invalid("has no \"verification_uri\" that a person may be sent to")
        }
        guard let lifetime = seconds("expires_in") else {
            throw Self.invalid("has no \"expires_in\"")
        }
        return DeviceCode(
            userCode: user, verificationURI: address,
            completeVerificationURI: self.address("verification_uri_complete"),
            lifetime: .seconds(min(max(lifetime, 1), 3_600)),
            interval: .seconds(min(max(seconds("interval") ?? 5, 1), 60)),
            exposedDeviceCode: device)
    }

    private func text(_ name: String, _ maximumByteCount: Int) -> String? {
        guard let text = root.member(name)?.text, (1...maximumByteCount).contains(text.byteCount),
            text.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return nil }
        return text.swiftString()
    }

    private func address(_ name: String) -> EndpointURL? {
        guard let text = text(name, EndpointURL.maximumByteCount),
            let url = try? EndpointURL(text), url.scheme == "https" || isLoopback
        else { return nil }
        return url
    }

    private func seconds(_ name: String) -> Int? {
        root.member(name)?.doubleValue.flatMap { Int(exactly: $0.rounded(.down)) }
    }

    private static func invalid(_ what: String) -> AuthorizationError {
        AuthorizationError(
            .invalidResponse, "The device authorization endpoint's answer \(what).")
    }
}
