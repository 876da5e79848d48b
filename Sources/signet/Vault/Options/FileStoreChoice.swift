// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// What options say of a vault in a file, whatever else they are about.
protocol FileStoreChoice {
    var place: StorePlaceOptions { get }
    var current: WayOptions<CurrentWay> { get }
    var reading: ReadingOptions { get }
}

extension FileStoreChoice {
    /// Refuses what would be refused later, before anything is read or asked for.
    func checkFile(reading sources: [String?]) throws {
        try place.check()
        _ = try current.way()
        try Input.checkStandardInput(all: ([current.source] + sources).compactMap(\.self))
    }

    /// The vault, locked: before anybody is asked for a passphrase it is clear that there is one.
    func openLocked(level: ReadLevel = .strict) throws -> FileVault {
        try FileVault.opened(
            place.path(), timeout: place.timeout, level: reading.level?.level ?? level,
            isReadOnly: reading.readOnly)
    }

    /// - Returns: the slot that opened.
    @discardableResult
    func unlock(_ vault: FileVault) throws -> [UInt8] {
        let finder = SlotFinder(try current.way().method(current.wording, place.patience))
        try vault.unlock(with: finder)
        return finder.slot ?? []
    }
}
