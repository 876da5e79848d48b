// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetPlatform

/// The browser of the person at this machine.
public enum SystemBrowser {
    /// Whether a browser would open in front of the person: there is a display, and no SSH session.
    public static var isAvailable: Bool { isAvailable(ProcessEnvironment.value) }

    /// - Parameter variable: gives a variable of the environment; an empty variable counts as
    ///   absent.
    package static func isAvailable(_ variable: (String) -> String?) -> Bool {
        func isSet(_ name: String) -> Bool { variable(name)?.isEmpty == false }
        let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains(where: isSet)
        return !isRemote && ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: isSet)
    }

    /// The characters allowed in an opened address, besides letters and digits.
    private static let plain = "-._~:/?[]@&=+,%"

    /// Opens an address with `xdg-open`, without a shell and as a single argument. The program's
    /// output is dropped, and whether a window opened is not known.
    ///
    /// - Throws: `malformed` for an address that is neither https nor http on this machine, is over
    ///   8,192 bytes, or contains any of `!$'()*;`, which the shell script `xdg-open` has executed
    ///   before (CVE-2014-9622); `unavailable` if the program cannot be started.
    public static func open(_ address: String) throws(AuthorizationError) {
        let octets = Array(address.utf8)
        let place = octets.prefix { $0 != UInt8(ascii: "?") }
        guard octets.count <= AuthorizationRequest.maximumByteCount,
            octets.allSatisfy({ $0.isLetter || $0.isDigit || plain.utf8.contains($0) }),
            (try? EndpointURL(String(decoding: place, as: UTF8.self))) != nil
        else {
            throw AuthorizationError(
                .malformed, "Only plain https addresses, and http on this machine, are opened.")
        }
        do throws(SystemFailure) {
            try DetachedProgram.start("xdg-open", arguments: [address])
        } catch {
            throw AuthorizationError(.unavailable, "No browser was opened: \(error).")
        }
    }
}
