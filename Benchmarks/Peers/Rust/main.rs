// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

//! jsonwebtoken over ring, as a contender of ../turns.py, where the commands are described: token-peer DATA KID.

use jsonwebtoken::{decode, encode, errors::Result, Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::io::{self, BufRead, Write};

#[derive(Serialize, Deserialize)]
struct IdClaims {
    iss: String,
    azp: String,
    aud: String,
    sub: String,
    hd: String,
    email: String,
    email_verified: bool,
    at_hash: String,
    nonce: String,
    name: String,
    picture: String,
    iat: i64,
    exp: i64,
}

#[derive(Serialize, Deserialize)]
struct SessionClaims {
    sub: String,
    iat: i64,
    exp: i64,
    iss: String,
    aud: String,
}

/// The four algorithms' keys are parsed once, as far as this library does that.
struct Keys {
    algorithm: Algorithm,
    signing: EncodingKey,
    verifying: DecodingKey,
}

impl Keys {
    fn load(data: &str, name: &str) -> Result<Keys> {
        let file = |suffix: &str| std::fs::read(format!("{data}/{name}.{suffix}")).expect("a key file");
        Ok(match name {
            "HS256" => Keys {
                algorithm: Algorithm::HS256,
                signing: EncodingKey::from_secret(&file("secret")),
                verifying: DecodingKey::from_secret(&file("secret")),
            },
            "RS256" => Keys {
                algorithm: Algorithm::RS256,
                signing: EncodingKey::from_rsa_pem(&file("private.pem"))?,
                verifying: DecodingKey::from_rsa_pem(&file("public.pem"))?,
            },
            "ES256" => Keys {
                algorithm: Algorithm::ES256,
                signing: EncodingKey::from_ec_pem(&file("private.pem"))?,
                verifying: DecodingKey::from_ec_pem(&file("public.pem"))?,
            },
            _ => Keys {
                algorithm: Algorithm::EdDSA,
                signing: EncodingKey::from_ed_pem(&file("private.pem"))?,
                verifying: DecodingKey::from_ed_pem(&file("public.pem"))?,
            },
        })
    }
}

/// One kind of payload, and what is asked of it: the payload itself says.
struct Work<'a, Claims> {
    keys: &'a Keys,
    claims: Claims,
    header: Header,
    validation: Validation,
}

impl<'a, Claims: Serialize + DeserializeOwned> Work<'a, Claims> {
    fn new(keys: &'a Keys, payload: &str, kid: &str) -> Self {
        let expected: serde_json::Value = serde_json::from_str(payload).expect("a payload");
        let mut validation = Validation::new(keys.algorithm);
        validation.set_issuer(&[expected["iss"].as_str().expect("iss")]);
        validation.set_audience(&[expected["aud"].as_str().expect("aud")]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        let mut header = Header::new(keys.algorithm);
        header.kid = Some(kid.to_string());
        Work { keys, claims: serde_json::from_str(payload).expect("claims"), header, validation }
    }

    fn verify(&self, token: &str) -> Result<Claims> {
        Ok(decode::<Claims>(token, &self.keys.verifying, &self.validation)?.claims)
    }

    fn sign(&self) -> Result<String> {
        encode(&self.header, &self.claims, &self.keys.signing)
    }

    fn answer(&self, words: &[&str]) -> String {
        let operation = |action: &str, nanoseconds: f64| {
            format!("rust|{} {} {}|1|{:.1}", words[1], action, words[2], nanoseconds)
        };
        match words[0] {
            "verify" => match self.verify(words[3]) {
                Ok(claims) => format!("accepted {}", serde_json::to_string(&claims).expect("JSON")),
                Err(error) => format!("refused {error}"),
            },
            "sign" => self.sign().expect("a token"),
            "time-verify" => {
                let token = words[4];
                operation("verify", time(words[3], || {
                    keep(self.verify(token).expect("a good token"));
                }))
            }
            "time-sign" => operation("sign", time(words[3], || {
                keep(self.sign().expect("a token"));
            })),
            other => panic!("no command {other}"),
        }
    }
}

/// The median over batches of at least 1 ms, in nanoseconds for one call.
fn time(milliseconds: &str, mut call: impl FnMut()) -> f64 {
    let turn = milliseconds.parse::<f64>().expect("milliseconds") * 1e6;
    let mut batch = |count: u32| {
        let start = processor_time();
        for _ in 0..count {
            call();
        }
        processor_time() - start
    };
    let mut count = 2;
    while batch(count) < 1e6 {
        count *= 2;
    }
    let mut figures = Vec::new();
    let end = processor_time() + turn;
    while processor_time() < end {
        figures.push(batch(count) / f64::from(count));
    }
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Makes the optimiser believe that the value is needed (Debian 12's compiler has no stable black_box).
#[inline(never)]
fn keep<Value>(value: Value) {
    unsafe { std::ptr::read_volatile(&(&value as *const Value)) };
}

/// Of all threads of the process, in nanoseconds.
fn processor_time() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (data, kid) = (&arguments[1], &arguments[2]);
    let payload = |kind: &str| std::fs::read_to_string(format!("{data}/{kind}.json")).expect("a payload");
    let names = ["HS256", "RS256", "ES256", "EdDSA"];
    let keys = names.map(|name| Keys::load(data, name).expect("keys"));
    let id: Vec<_> = keys.iter().map(|keys| Work::<IdClaims>::new(keys, &payload("id"), kid)).collect();
    let session: Vec<_> = keys.iter().map(|keys| Work::<SessionClaims>::new(keys, &payload("ses"), kid)).collect();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split(' ').collect();
        let index = names.iter().position(|name| *name == words[1]).expect("an algorithm");
        println!("{}", if words[2] == "id" { id[index].answer(&words) } else { session[index].answer(&words) });
        io::stdout().flush().expect("output");
    }
}
