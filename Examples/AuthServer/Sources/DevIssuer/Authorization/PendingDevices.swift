// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import Synchronization

/// Devices that wait for a person to enter their code (RFC 8628), for ten minutes.
final class PendingDevices: Sendable {
    enum Answer {
        case unknown
        case pending
        case approved
    }

    private struct Device {
        let userCode: String
        let clientID: String
        let expires: ContinuousClock.Instant
        var isApproved = false
    }

    static let lifetime = 600
    private static let maximumCount = 1_000
    /// Without vowels, so that no code is a word (section 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    private let devices = Mutex<[String: Device]>([:])

    /// The two codes; nil if too many devices are waiting.
    func add(clientID: String) throws -> (device: String, user: String)? {
        let device = Base64URL.encode(try SecureRandom.bytes(count: 32))
        let letters = try SecureRandom.bytes(count: 8).map {
            Self.letters[Int($0) % Self.letters.count]
        }
        let user = String(letters.prefix(4)) + "-" + String(letters.suffix(4))
        let now = ContinuousClock.now
        return devices.withLock { devices in
            devices = devices.filter { $0.value.expires > now }
            guard devices.count < Self.maximumCount else { return nil }
            devices[device] = Device(
                userCode: user, clientID: clientID,
                expires: now.advanced(by: .seconds(Self.lifetime)))
            return (device, user)
        }
    }

    /// Records that the person consents; false if no device waits for the code.
    func approve(_ userCode: String) -> Bool {
        devices.withLock { devices in
            guard let (name, _) = devices.first(where: { $0.value.userCode == userCode }) else {
                return false
            }
            devices[name]?.isApproved = true
            return true
        }
    }

    /// The state of a device. An approved device is removed when it is returned.
    func take(_ device: String, clientID: String) -> Answer {
        devices.withLock { devices in
            guard let found = devices[device], found.clientID == clientID, found.expires > .now
            else { return .unknown }
            guard found.isApproved else { return .pending }
            devices[device] = nil
            return .approved
        }
    }
}
