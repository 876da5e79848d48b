// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PrivatePlace {
    /// Whether the owner of a folder above may replace its contents: this user, or root, who can do
    /// so anyway.
    ///
    /// In a sandbox whose user namespace lacks the machine's root, root and everyone else outside
    /// share one id and cannot be told apart: that id is accepted then.
    static func mayOwnFoldersAbove(_ owner: uid_t) -> Bool {
        owner == geteuid() || owner == 0 || owner == ownerOutside
    }

    /// The id of all users unknown to this user namespace; nil if it knows root.
    private static let ownerOutside: uid_t? = {
        let limit = 65_536
        guard
            let map = try? PrivateFile.read(path: "/proc/self/uid_map", maximumByteCount: limit),
            !knowsRoot(userMap: map.bytes),
            let text = try? PrivateFile.read(
                path: "/proc/sys/kernel/overflowuid", maximumByteCount: limit)
        else { return nil }
        return numbers(in: text.bytes[...]).first.flatMap { uid_t(exactly: $0) }
    }()

    /// Whether `uid_map` of `/proc` maps the outside id 0. A line has the first id inside, the
    /// first outside and the count.
    package static func knowsRoot(userMap: [UInt8]) -> Bool {
        userMap.split(separator: 0x0a).contains { line in
            let line = numbers(in: line)
            return line.count != 3 || (line[1] == 0 && line[2] > 0)
        }
    }

    private static func numbers(in text: ArraySlice<UInt8>) -> [UInt64] {
        text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a }
            .compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }
}
