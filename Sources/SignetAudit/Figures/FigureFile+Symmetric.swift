// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension FigureFile {
    func mac(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = MACCheck(
            key: try row.cells.bytes("key"), message: try row.cells.bytes("msg"),
            tag: try row.cells.bytes("tag"),
            hash: try AlgorithmName.hash(row.algorithm))
        return { check.observation() }
    }

    func sealing(
        _ row: FigureRow, _ algorithm: SealingCheck.Algorithm
    ) throws(AuditError) -> @Sendable () -> AuditObservation {
        let tag = row.cells.has("tag") ? try row.cells.bytes("tag") : []
        let check = SealingCheck(
            algorithm: algorithm, key: try row.cells.bytes("key"), nonce: try row.cells.bytes("iv"),
            data: try row.cells.bytes("aad"), plaintext: try row.cells.optionalBytes("pt"),
            ciphertext: try row.cells.bytes("ct") + tag)
        guard row.cells.has("kx") else { return { check.observation() } }
        let schedule = try XAESScheduleCheck(
            key: check.key, nonce: check.nonce, derivedKey: row.cells.bytes("kx"),
            derivedNonce: row.cells.bytes("nx"))
        return {
            let observation = check.observation()
            return observation == .accepted ? schedule.observation() : observation
        }
    }

    func accumulated(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let count = try row.cells.integer("n")
        guard (1...1_000_000).contains(count) else {
            throw row.cells.absent("n", "is out of range")
        }
        let check = AccumulatedXAESCheck(count: count, hash: try row.cells.bytes("hash"))
        return { check.observation() }
    }

    func hkdf(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = HKDFCheck(
            hash: try AlgorithmName.hash(row.algorithm), input: try row.cells.bytes("ikm"),
            salt: try row.cells.bytes("salt"), info: try row.cells.bytes("info"),
            byteCount: try row.cells.integer("L"), intermediate: try row.cells.bytes("prk"),
            output: try row.cells.bytes("okm"))
        return { check.observation() }
    }

    func pbkdf2(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = PBKDF2Check(
            hash: try AlgorithmName.hash(row.algorithm), password: try row.cells.bytes("pw"),
            salt: try row.cells.bytes("salt"), iterations: try row.cells.integer("c"),
            byteCount: try row.cells.integer("L"), output: try row.cells.bytes("dk"))
        return { check.observation() }
    }

    func scrypt(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = ScryptCheck(
            password: try row.cells.bytes("pw"), salt: try row.cells.bytes("salt"),
            cost: try row.cells.integer("N"),
            blockSize: try row.cells.integer("b"), parallelism: try row.cells.integer("p"),
            byteCount: try row.cells.integer("L"), output: try row.cells.bytes("dk"))
        return { check.observation() }
    }
}
