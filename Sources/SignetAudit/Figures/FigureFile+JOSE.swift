// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension FigureFile {
    func token(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = TokenCheck(
            keys: row.cells.has("k") ? [Array(try key(row).rawBytes)] : keys.map { Array($0.rawBytes) },
            token: try row.cells.string("jws"), payload: try row.cells.optionalBytes("payload"))
        return { check.observation() }
    }

    func jsonKey(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation { { .failed("") } }
    func keySet(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation { { .failed("") } }
    func thumbprint(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation { { .failed("") } }
}
