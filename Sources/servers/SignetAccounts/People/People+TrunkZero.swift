// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension People {
    /// Rewrites numbers that were stored with the 0 of domestic calls, which `PhoneNumber` leaves
    /// out by now: otherwise nobody could sign in with them. A number that is there in two
    /// spellings keeps the two: each belongs to a user, and the shorter spelling is found from now
    /// on.
    ///
    /// The list is that of `PhoneNumber`. No number begins with two zeros, which stay.
    static let trunkZeros = SchemaStep(
        "people.2",
        statements: [
            "CREATE TABLE signet_trunk_zeros (code TEXT NOT NULL PRIMARY KEY) {strict}",
            """
            INSERT INTO signet_trunk_zeros (code) VALUES
                ('+20'), ('+27'), ('+31'), ('+32'), ('+33'), ('+40'), ('+41'), ('+43'), ('+44'),
                ('+46'), ('+49'), ('+60'), ('+61'), ('+62'), ('+63'), ('+64'), ('+66'), ('+81'),
                ('+82'), ('+84'), ('+86'), ('+90'), ('+91'), ('+92'), ('+94'), ('+98'), ('+212'),
                ('+213'), ('+234'), ('+254'), ('+255'), ('+256'), ('+353'), ('+355'), ('+358'),
                ('+359'), ('+380'), ('+381'), ('+385'), ('+386'), ('+387'), ('+389'), ('+421'),
                ('+880'), ('+886'), ('+961'), ('+962'), ('+964'), ('+966'), ('+971'), ('+972'),
                ('+977')
            """,
            """
            UPDATE signet_identities SET subject = (
                SELECT z.code || substr(signet_identities.subject, length(z.code) + 2)
                FROM signet_trunk_zeros z
                WHERE substr(signet_identities.subject, 1, length(z.code) + 1) = z.code || '0')
            WHERE issuer = 'phone' AND EXISTS (
                SELECT 1 FROM signet_trunk_zeros z
                WHERE substr(signet_identities.subject, 1, length(z.code) + 1) = z.code || '0'
                    AND substr(signet_identities.subject, length(z.code) + 2, 1)
                        NOT IN ('0', '')
                    AND NOT EXISTS (
                        SELECT 1 FROM signet_identities i WHERE i.issuer = 'phone' AND i.subject
                            = z.code || substr(signet_identities.subject, length(z.code) + 2)))
            """,
            """
            UPDATE signet_profiles SET phone = (
                SELECT z.code || substr(signet_profiles.phone, length(z.code) + 2)
                FROM signet_trunk_zeros z
                WHERE substr(signet_profiles.phone, 1, length(z.code) + 1) = z.code || '0')
            WHERE EXISTS (
                SELECT 1 FROM signet_trunk_zeros z
                WHERE substr(signet_profiles.phone, 1, length(z.code) + 1) = z.code || '0'
                    AND substr(signet_profiles.phone, length(z.code) + 2, 1) NOT IN ('0', ''))
            """,
            "DROP TABLE signet_trunk_zeros",
        ])
}
