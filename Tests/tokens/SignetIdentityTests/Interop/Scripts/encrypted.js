// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Asks jose for Node (Debian: package node-jose) what encrypted.py asks others, in the same form.
//
//     node encrypted.js /usr/share/nodejs/jose

"use strict";

const jose = require(process.argv[2]);
const { version } = require(`${process.argv[2]}/package.json`);
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

async function main() {
    const { content, cases } = JSON.parse(fs.readFileSync(0));
    const answers = [];
    for (const one of cases) answers.push(await answer(one, content));
    process.stdout.write(JSON.stringify({ version, answers }));
}

main();
