// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
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

    /// Whether a file without a name can be given one in a folder. It asks with an empty file:
    /// without `/proc`, or where links are refused, all that was written would be lost.
    static func canBeUnnamed(in folder: borrowing FileDescriptor) -> Bool {
        guard let file = FileDescriptor.createUnnamed(in: folder, mode: 0o600) else { return false }
        let path = file.ownPath
        let folder = folder.number
        let name = randomName()
        return SignalMask.withoutSignals {
            guard link(unnamed: path, as: name, in: folder) else { return false }
            _ = unsafe unlinkat(folder, name.cPath, 0)
            return true
        }
    }

    /// Gives the finished file its name. Without `overwrite` that is an exclusive rename or, where
    /// there is none, a hard link, because a link never replaces. If the file system has neither,
    /// an empty file made with `O_EXCL` holds the name until a rename that would replace.
    func publish(as name: String, overwrite: Bool, operation: String) throws(SystemFailure) {
        guard let temporary else {
            return try publishUnnamed(as: name, overwrite: overwrite, operation: operation)
        }
        if overwrite { return try rename(temporary, to: name, operation: operation) }
        let number = folder.number
        if unsafe csystem_rename_exclusively(number, temporary.cPath, name.cPath) == 0 { return }
        guard !Self.endsNaming(errno) else { throw .last(operation) }
        if unsafe linkat(number, temporary.cPath, number, name.cPath, 0) == 0 {
            _ = unsafe unlinkat(number, temporary.cPath, 0)
            return
        }
        guard !Self.endsNaming(errno) else { throw .last(operation) }
        _ = try FileDescriptor.create(name, in: folder, mode: 0)
        try rename(temporary, to: name, operation: operation, removing: name)
    }

    private func publishUnnamed(
        as name: String, overwrite: Bool, operation: String
    ) throws(SystemFailure) {
        // Only a rename replaces, and it takes a name.
        let linked = overwrite ? Self.randomName() : name
        guard Self.link(unnamed: file.ownPath, as: linked, in: folder.number) else {
            throw .last(operation)
        }
        if overwrite {
            try rename(linked, to: name, operation: operation, removing: linked)
        }
    }

    /// - Parameter path: the open file's own (``FileDescriptor/ownPath``).
    private static func link(unnamed path: String, as name: String, in folder: Int32) -> Bool {
        unsafe linkat(AT_FDCWD, path.cPath, folder, name.cPath, AT_SYMLINK_FOLLOW) == 0
    }

    /// Whether no other way to give a name would succeed. File systems that lack a way say so with
    /// any other number: FUSE with ENOSYS, an SD card with EACCES.
    private static func endsNaming(_ number: Int32) -> Bool {
        [EEXIST, ENOSPC, EDQUOT, EROFS, EIO].contains(number)
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
