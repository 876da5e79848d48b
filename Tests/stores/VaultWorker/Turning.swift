// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault

/// Changes the vault's keys, or rebuilds its file, for as long as it lives.
enum Turning {
    static func rotate(_ path: String, _ keyFile: String) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        Line.write("ready")
        while true {
            try vault.rotateDataKey()
            Line.write("rotated")
        }
    }

    static func compact(_ path: String, _ keyFile: String) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        Line.write("ready")
        while true {
            try vault.compact()
            Line.write("compacted")
        }
    }

    static func slots(_ path: String, _ keyFile: String) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        let method = KeyFileUnlock(path: keyFile)
        try vault.unlock(with: method)
        Line.write("ready")
        while true {
            // What a killed process left behind goes first.
            let own = try vault.slots()
            if own.count > 4, let last = own.last {
                try vault.removeSlot(id: last.id)
            } else {
                let first = try vault.addSlot(method)
                _ = try vault.replaceSlot(id: first, with: method)
            }
            Line.write("changed")
        }
    }
}
