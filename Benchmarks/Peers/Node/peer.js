// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// node's own crypto, or the library jose over it, as a contender of ../turns.py, where the commands are described:
// peer.js node|node-jose DATA KID

'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const readline = require('node:readline');

const [name, data, kid] = process.argv.slice(2);
const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'];
const readPayload = (kind) => JSON.parse(fs.readFileSync(`${data}/${kind}.json`));
const payloads = { id: readPayload('id'), ses: readPayload('ses') };
const keys = Object.fromEntries(algorithms.map((algorithm) => {
    const file = (suffix) => fs.readFileSync(`${data}/${algorithm}.${suffix}`);
    if (algorithm === 'HS256') {
        const secret = crypto.createSecretKey(file('secret'));
        return [algorithm, { signing: secret, verifying: secret }];
    }
    const signing = crypto.createPrivateKey(file('private.pem'));
    return [algorithm, { signing, verifying: crypto.createPublicKey(file('public.pem')) }];
}));

const contentKey = crypto.createSecretKey(JSON.parse(fs.readFileSync(`${data}/dir.jwk`)).k, 'base64url');

// What a careful caller writes by hand over node's synchronous primitives.
const node = {
    mac: (key, text) => crypto.createHmac('sha256', key).update(text).digest(),

    isValid(algorithm, key, text, signature) {
        switch (algorithm) {
        case 'HS256': return signature.length === 32 && crypto.timingSafeEqual(node.mac(key, text), signature);
        case 'RS256': return crypto.verify('sha256', Buffer.from(text), key, signature);
        case 'ES256': return crypto.verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature);
        default: return crypto.verify(null, Buffer.from(text), key, signature);
        }
    },

    signature(algorithm, key, text) {
        switch (algorithm) {
        case 'HS256': return node.mac(key, text);
        case 'RS256': return crypto.sign('sha256', Buffer.from(text), key);
        case 'ES256': return crypto.sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
        default: return crypto.sign(null, Buffer.from(text), key);
        }
    },

    verify(algorithm, expected, token) {
        const parts = token.split('.');
        if (parts.length !== 3) throw new Error('not three parts');
        const header = JSON.parse(Buffer.from(parts[0], 'base64url'));
        if (header.alg !== algorithm || header.crit !== undefined) throw new Error('another header');
        const text = token.slice(0, parts[0].length + 1 + parts[1].length);
        if (!node.isValid(algorithm, keys[algorithm].verifying, text, Buffer.from(parts[2], 'base64url'))) {
            throw new Error('a wrong signature');
        }
        const claims = JSON.parse(Buffer.from(parts[1], 'base64url'));
        if (claims.iss !== expected.iss) throw new Error('another issuer');
        if (claims.aud !== expected.aud) throw new Error('another audience');
        if (typeof claims.exp !== 'number' || claims.exp <= Date.now() / 1000) throw new Error('expired');
        return claims;
    },

    sign(algorithm, payload) {
        const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const text = `${part({ alg: algorithm, kid, typ: 'JWT' })}.${part(payload)}`;
        return `${text}.${node.signature(algorithm, keys[algorithm].signing, text).toString('base64url')}`;
    },
};

// The library: each call is a promise.
const jose = {
    async verify(algorithm, expected, token) {
        const { jwtVerify } = jose.library;
        const options = { algorithms: [algorithm], issuer: expected.iss, audience: expected.aud };
        const { payload } = await jwtVerify(token, keys[algorithm].verifying, options);
        if (payload.exp === undefined) throw new Error('no exp');
        return payload;
    },

    async sign(algorithm, payload) {
        const { SignJWT } = jose.library;
        return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' }).sign(keys[algorithm].signing);
    },

    async open(token) {
        const { compactDecrypt } = jose.library;
        const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
        return (await compactDecrypt(token, contentKey, options)).plaintext;
    },
};
if (name === 'node-jose') jose.library = require('jose');

// Of all threads of the process, in nanoseconds and steps of a microsecond.
function processorTime() {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
}

let kept;

// The median over batches of at least 1 ms, in nanoseconds for one call.
async function measure(milliseconds, call) {
    const isPromise = call() instanceof Promise;
    async function batch(count) {
        const start = processorTime();
        if (isPromise) for (let i = 0; i < count; i++) kept = await call();
        else for (let i = 0; i < count; i++) kept = call();
        return processorTime() - start;
    }
    let count = 2;
    while (await batch(count) < 1e6) count *= 2;
    const figures = [];
    for (const end = processorTime() + milliseconds * 1e6; processorTime() < end;) figures.push(await batch(count) / count);
    figures.sort((a, b) => a - b);
    return figures[figures.length >> 1];
}

// Only the library opens.
async function answerOpening([command, ...rest]) {
    if (command === 'time-open') return `${name}|jwe open|1|${(await measure(rest[0], () => jose.open(rest[1]))).toFixed(1)}`;
    try {
        return `opened ${Buffer.from(await jose.open(rest[0]))}`;
    } catch (error) {
        return `refused ${error.message}`;
    }
}

async function answer(words) {
    if (words[0] === 'open' || words[0] === 'time-open') return answerOpening(words);
    const [command, algorithm, kind, ...rest] = words;
    const peer = name === 'node' ? node : jose;
    const payload = payloads[kind];
    const figure = (action, nanoseconds) => `${name}|${algorithm} ${action} ${kind}|1|${nanoseconds.toFixed(1)}`;
    switch (command) {
    case 'verify':
        try {
            return `accepted ${JSON.stringify(await peer.verify(algorithm, payload, rest[0]))}`;
        } catch (error) {
            return `refused ${error.message}`;
        }
    case 'sign':
        return peer.sign(algorithm, payload);
    case 'time-verify':
        return figure('verify', await measure(rest[0], () => peer.verify(algorithm, payload, rest[1])));
    case 'time-sign':
        return figure('sign', await measure(rest[0], () => peer.sign(algorithm, payload)));
    default:
        throw new Error(`no command ${command}`);
    }
}

(async () => {
    for await (const line of readline.createInterface({ input: process.stdin })) console.log(await answer(line.split(' ')));
})();
