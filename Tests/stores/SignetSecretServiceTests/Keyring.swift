// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import TestSupport

/// A session bus and a private home for one scenario of `secret-service-worker`, which starts the keyring itself.
struct Keyring {
    struct Outcome {
        let status: Int32
        let text: String
    }

    /// A process of the scenario that outlives it.
    struct LeftBehind: Error { let commands: [String] }

    /// Where a scenario runs.
    enum Bus {
        /// Under `dbus-run-session`, with its own bus that starts nothing by itself.
        case own
        /// With the address of a bus that is not there.
        case absent
        /// Without any address, and without a display to find one by.
        case unset
    }

    static let daemon = find("gnome-keyring-daemon")
    static let session = find("dbus-run-session")
    static let busDaemon = find("dbus-daemon")
    static let timeout = find("timeout")

    static let keePassXC = find("keepassxc")
    static let isAvailable = [daemon, session, busDaemon, timeout].allSatisfy { $0 != nil }
    static let absence =
        "no gnome-keyring-daemon, dbus-run-session, dbus-daemon or timeout on this machine (packages gnome-keyring and dbus)"
    /// Whether a missing program is a failure: it is where CI depends on these tests.
    static let isRequired = ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"

    /// Plays a scenario to its end, on a thread outside Swift's pool.
    static func play(_ scenario: String, bus: Bus = .own) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "signet.scenario").async {
                continuation.resume(with: Result { try run(scenario, bus) })
            }
        }
    }

    private static func run(_ scenario: String, _ bus: Bus) throws -> Outcome {
        // A short path: those of sockets have at most 107 octets.
        let folder = URL(fileURLWithPath: "/tmp/signet-\(UUID().uuidString.prefix(13))")
        let files = FileManager.default
        defer { try? files.removeItem(at: folder) }
        for part in ["", "data", "run", "services"] {
            try files.createDirectory(
                at: folder.appendingPathComponent(part), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        let configuration = folder.appendingPathComponent("bus.conf")
        try Data(Self.configuration(folder.path).utf8).write(to: configuration)
        var arguments = ["-k", "10", "600"]
        if case .own = bus {
            arguments += [session ?? "", "--config-file=\(configuration.path)", "--"]
        }
        let outcome = try ChildProgram.run(
            timeout ?? "/usr/bin/timeout", arguments + [worker, scenario],
            environment: environment(folder.path, configuration.path, bus))
        endDaemons(of: folder.path)
        try expectNoProcess(in: folder.path)
        return Outcome(status: outcome.status, text: outcome.text + outcome.complaint)
    }

    /// Ends the daemons that a scenario left behind: gnome-keyring outlives its bus, and a stopped one everything.
    private static func endDaemons(of folder: String) {
        guard let noted = try? String(contentsOfFile: folder + "/daemons", encoding: .utf8) else {
            return
        }
        for identifier in noted.split(separator: "\n").compactMap({ Int32($0) })
        where identifier > 1 {
            // The number may belong to another process by now.
            let environment = try? String(
                contentsOfFile: "/proc/\(identifier)/environ", encoding: .utf8)
            if environment?.contains("HOME=\(folder)\0") == true { _ = kill(identifier, SIGKILL) }
        }
    }

    /// A bus that was told to end, or a killed daemon, has ten minutes to go.
    private static func expectNoProcess(in folder: String) throws {
        var commands = [String]()
        for _ in 0..<12_000 {
            commands = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap {
                name in
                guard Int32(name) != nil,
                    let environment = try? String(
                        contentsOfFile: "/proc/\(name)/environ", encoding: .utf8),
                    environment.contains("HOME=\(folder)\0")
                else { return nil }
                return try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)
            }
            if commands.isEmpty { return }
            usleep(50_000)
        }
        throw LeftBehind(commands: commands)
    }

    private static func environment(_ folder: String, _ configuration: String, _ bus: Bus)
        -> [String: String]
    {
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !["DBUS_", "XDG_", "GNOME_", "SECRET_", "SSH_"].contains { name.hasPrefix($0) }
                && !["DISPLAY", "WAYLAND_DISPLAY"].contains(name)
        }
        environment["HOME"] = folder
        environment["XDG_DATA_HOME"] = folder + "/data"
        environment["XDG_RUNTIME_DIR"] = folder + "/run"
        environment["SIGNET_KEYRING"] = daemon
        environment["SIGNET_DBUS_DAEMON"] = busDaemon
        environment["SIGNET_BUS_CONFIGURATION"] = configuration
        environment["SIGNET_BUS_SERVICES"] = folder + "/services"
        if case .absent = bus {
            environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/run/own-bus"
        }
        return environment
    }

    private static func configuration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:tmpdir=\(folder)/run</listen>
          <auth>EXTERNAL</auth>
          <limit name="auth_timeout">600000</limit>
          <limit name="service_start_timeout">600000</limit>
          <servicedir>\(folder)/services</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private static let worker = BuiltProgram.path("secret-service-worker")

    private static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
