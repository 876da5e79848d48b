// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A file that is being written in the folder of its later name. It is removed with this value,
/// unless ``publish(as:overwrite:operation:)`` has given it that name.
struct UnfinishedFile: ~Copyable {
    let file: FileDescriptor
    let folder: FileDescriptor
    /// Its random name; nil for a file without a name, which goes with its last descriptor.
    private let temporary: String?
    /// Removes it also when a signal ends the process.
    private let removal: SignalRemoval?

    /// A file without a name.
    init(unnamed file: consuming FileDescriptor, in folder: consuming FileDescriptor) {
        self.file = file
        self.folder = folder
        temporary = nil
        removal = nil
    }

    /// A file with a random name that no process has.
    init(
        namedIn folder: consuming FileDescriptor, mode: UInt32, removesOnSignal: Bool
    ) throws(SystemFailure) {
        let name = Self.randomName()
        // Before the name exists, so that no signal comes in between.
        let removal = removesOnSignal ? SignalRemoval(of: name, in: folder.number) : nil
        let file = try FileDescriptor.create(name, in: folder, mode: mode)
        // Locked, so that no process takes it for a leftover of a process that was killed.
        _ = file.tryLocking()
        self.file = file
        self.folder = folder
        temporary = name
        self.removal = removal
    }

    deinit {
        // Once it is published there is no file of this name any more, and nothing to report.
        if let temporary { _ = unsafe unlinkat(folder.number, temporary.cPath, 0) }
    }

    /// Sets the exact permissions, whatever the process's umask is.
    func setMode(_ mode: UInt32, operation: String) throws(SystemFailure) {
        guard fchmod(file.number, mode_t(mode)) == 0 else { throw .last(operation) }
    }

    /// Gives the finished file its name. Without `overwrite` that is a hard link, because a link
    /// never replaces. If the file system has no links, an empty file made with `O_EXCL` holds the
    /// name until the rename.
    func publish(as name: String, overwrite: Bool, operation: String) throws(SystemFailure) {
        guard let temporary else {
            return try publishUnnamed(as: name, overwrite: overwrite, operation: operation)
        }
        if overwrite { return try rename(temporary, to: name, operation: operation) }
        if unsafe linkat(folder.number, temporary.cPath, folder.number, name.cPath, 0) == 0 {
            _ = unsafe unlinkat(folder.number, temporary.cPath, 0)
            return
        }
        guard [EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { throw .last(operation) }
        _ = try FileDescriptor.create(name, in: folder, mode: 0)
        try rename(temporary, to: name, operation: operation, removing: name)
    }

    private func publishUnnamed(
        as name: String, overwrite: Bool, operation: String
    ) throws(SystemFailure) {
        // Only a rename replaces, and it takes a name.
        let linked = overwrite ? Self.randomName() : name
        guard
            unsafe linkat(
                AT_FDCWD, file.ownPath.cPath, folder.number, linked.cPath, AT_SYMLINK_FOLLOW) == 0
        else { throw .last(operation) }
        if overwrite {
            try rename(linked, to: name, operation: operation, removing: linked)
        }
    }

    /// - Parameter extra: a name of this value's making, which must not stay if there is an error.
    private func rename(
        _ temporary: String, to name: String, operation: String, removing extra: String? = nil
    ) throws(SystemFailure) {
        guard
            unsafe renameat(folder.number, temporary.cPath, folder.number, name.cPath) == 0
        else {
            let failure = SystemFailure.last(operation)
            if let extra { _ = unsafe unlinkat(folder.number, extra.cPath, 0) }
            throw failure
        }
    }

    /// 64 random bits: no one can take the name first, and two writers do not collide.
    private static func randomName() -> String {
        let bits = UInt64.random(in: .min ... .max)
        return ".signet-\(String(bits, radix: 16)).tmp"
    }
}
