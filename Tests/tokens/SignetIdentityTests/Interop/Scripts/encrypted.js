// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Asks jose for Node (Debian: package node-jose) what encrypted.py asks others, in the same form. With it, it also
// opens and writes session tokens as Auth.js does (nextauthjs/next-auth: packages/core/src/jwt.ts at a1a16a5a for
// version 5, packages/next-auth/src/jwt/index.ts at d857eec5 for version 4).
//
//     node encrypted.js /usr/share/nodejs/jose

"use strict";

const jose = require(process.argv[2]);
const { version } = require(`${process.argv[2]}/package.json`);
const { hkdfSync, randomUUID } = require("node:crypto");
const fs = require("node:fs");

// Names of the two parties, which go into an agreed key (RFC 7518, section 4.6.2).
const parties = { apu: Buffer.from("Alice"), apv: Buffer.from("Böb") };

async function answer({ algorithm, encryption, privateKey, publicKey, token }, content) {
    const answer = { isOffered: true };
    try {
        const names = { keyManagementAlgorithms: [algorithm], contentEncryptionAlgorithms: [encryption] };
        if (token) {
            const own = await jose.importJWK(JSON.parse(privateKey), algorithm);
            const opened = await jose.compactDecrypt(token, own, names);
            answer.opened = Buffer.from(opened.plaintext).toString();
        }
        const encrypter = new jose.CompactEncrypt(Buffer.from(content));
        encrypter.setProtectedHeader({ alg: algorithm, enc: encryption });
        if (algorithm.startsWith("ECDH")) encrypter.setKeyManagementParameters(parties);
        answer.token = await encrypter.encrypt(await jose.importJWK(JSON.parse(publicKey), algorithm));
    } catch (error) {
        if (error.code === "ERR_JOSE_NOT_SUPPORTED") return { isOffered: false };
        answer.error = `${error.name}: ${error.message}`;
    }
    return answer;
}

// The key of one secret, and its name, which version 4 does not give.
async function sessionKey(isV5, cookie, secret) {
    const info = isV5 ? `Auth.js Generated Encryption Key (${cookie})` : "NextAuth.js Generated Encryption Key";
    const key = new Uint8Array(hkdfSync("sha256", secret, isV5 ? cookie : "", info, isV5 ? 64 : 32));
    const jwk = { kty: "oct", k: jose.base64url.encode(key) };
    return { key, kid: isV5 ? await jose.calculateJwkThumbprint(jwk, "sha512") : undefined };
}

// Opens a token, if there is one, by the key that it names, and writes one with the first secret.
async function session({ isV5, cookie, secrets, now, token, claims }) {
    const answer = {};
    try {
        const keys = await Promise.all(secrets.map((secret) => sessionKey(isV5, cookie, secret)));
        const named = ({ kid }) => keys.find((one) => kid === undefined || kid === one.kid)?.key;
        const rules = { clockTolerance: 15, currentDate: new Date(now * 1000) };
        if (token) answer.opened = (await jose.jwtDecrypt(token, named, rules)).payload;
        const header = { alg: "dir", enc: isV5 ? "A256CBC-HS512" : "A256GCM", kid: keys[0].kid };
        const written = new jose.EncryptJWT(claims).setProtectedHeader(header).setIssuedAt(now);
        written.setExpirationTime(now + 30 * 86400).setJti(randomUUID());
        answer.token = await written.encrypt(keys[0].key);
    } catch (error) {
        answer.error = `${error.name}: ${error.message}`;
    }
    return answer;
}

async function main() {
    const { content, cases = [], sessions = [] } = JSON.parse(fs.readFileSync(0));
    const answers = [];
    for (const one of cases) answers.push(await answer(one, content));
    for (const one of sessions) answers.push(await session(one));
    process.stdout.write(JSON.stringify({ version, answers }));
}

main();
