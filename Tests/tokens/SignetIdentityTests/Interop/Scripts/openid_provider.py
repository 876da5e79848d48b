# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""An OpenID provider on loopback: Authlib's own grants, PKCE, ID tokens and issuer parameter, over Flask.

The configuration comes as JSON in the first line of standard input:
    {"redirectURI": ..., "appleTeam": ..., "appleKey": {JWK}, "secrets": {"basic": ..., "post": ...},
     "clientKeys": {"keys": [JWK]}, "port": 0, "generation": 1}
Prints {"port": ...} once it listens; port 0 takes a free one. The generation is in the names of its keys. Ends when
standard input does, so that it does not outlive the test. Each further line is answered with {} once it is done:
    {"do": "rotate"}            signs with new keys and publishes no others
    {"do": "move", "path": P}   publishes the keys at P, as the metadata then say; the old address answers 404
    {"do": "approve", "path": C} a person elsewhere says yes to the device with the user code C; {"do": "deny", ...} no
    {"do": "copy", "path": P}   the same, and the old address goes on to publish the keys of this moment
    {"do": "logout", "path": C} makes a logout token for the client C; answered with {"token": T}
    {"do": "userinfo", "path": F} userinfo answers "plain", "signed", or as "other", another person's; "encrypted" is
                                signed, then encrypted to the client's {"key": JWK}

Clients: "public" (none), "basic" and "post" (a secret), "es256" (public, ID tokens signed with ES256), "apple" (its
secret is a signed token, checked as Apple describes it), "key" (private_key_jwt, by Authlib's own rules: each jti once,
the issuer as the audience). "basic" and "key" may ask about tokens and are told of all. There is no page to click through: whoever asks is signed in
as "alice", unless `login_hint` is "deny".
"""

import json
import logging
import re
import os
import sys
import threading
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # http, for loopback alone

import flask
import joserfc.jwe
import joserfc.jwk
import joserfc.jwt
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, OAuth2Error, TokenMixin, grants
from authlib.integrations.flask_oauth2 import ResourceProtector
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from authlib.oidc.core import AuthorizationCodeMixin, OpenIDCode, UserInfoEndpoint
from authlib.oidc.rpinitiated import EndSessionEndpoint
from werkzeug.serving import make_server

logging.disable(logging.CRITICAL)

configuration = json.loads(sys.stdin.readline())

generation = configuration["generation"]


def make_keys():
    return {
        "RS256": joserfc.jwk.RSAKey.generate_key(2048, {"kid": f"rsa-{generation}", "use": "sig", "alg": "RS256"}),
        "ES256": joserfc.jwk.ECKey.generate_key("P-256", {"kid": f"ec-{generation}", "use": "sig", "alg": "ES256"}),
    }


keys = make_keys()
# Where keys are published: the current ones, or a copy of former ones.
keys_path, copies = "/jwks", {}
issuer = None


class Client(ClientMixin):
    def __init__(self, client_id, method, secret=None, algorithm="RS256"):
        self.client_id, self.method, self.secret = client_id, method, secret
        self.id_token_signed_response_alg = algorithm

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, redirect_uri):
        # Of a native program any port (RFC 8252, section 7.3).
        native = self.client_id == "public" and re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/callback", redirect_uri)
        return redirect_uri == configuration["redirectURI"] or native is not None

    def check_client_secret(self, client_secret):
        return self.secret(client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    @property
    def client_metadata(self):
        is_signed = userinfo_form in ("signed", "encrypted")
        signed = {"userinfo_signed_response_alg": "RS256"} if is_signed else {}
        return {"post_logout_redirect_uris": [configuration["redirectURI"]], **signed}

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in ("authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE)


def is_apple_secret(text):
    """Apple, "Creating a client secret": ES256, iss the team, sub the client, aud Apple, at most six months."""
    try:
        key = joserfc.jwk.ECKey.import_key(configuration["appleKey"])
        token = joserfc.jwt.decode(text, key, algorithms=["ES256"])
        joserfc.jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": configuration["appleTeam"]},
            sub={"essential": True, "value": "apple"},
            aud={"essential": True, "value": "https://appleid.apple.com"},
            exp={"essential": True}, iat={"essential": True},
        ).validate(token.claims)
        return token.claims["exp"] - token.claims["iat"] <= 15_777_000
    except Exception:
        return False


secrets = configuration["secrets"]
clients = {
    client.client_id: client
    for client in [
        Client("public", "none"),
        Client("basic", "client_secret_basic", lambda text: text == secrets["basic"]),
        Client("post", "client_secret_post", lambda text: text == secrets["post"]),
        Client("es256", "none", algorithm="ES256"),
        Client("key", JWTBearerClientAssertion.CLIENT_AUTH_METHOD),
        Client("apple", "client_secret_post", is_apple_secret),
    ]
}


class Code(AuthorizationCodeMixin):
    def __init__(self, code, request):
        data = request.payload.data
        self.code, self.client_id = code, request.client.client_id
        self.redirect_uri, self.scope = data.get("redirect_uri"), request.scope
        self.nonce, self.auth_time = data.get("nonce"), int(time.time())
        self.code_challenge = data.get("code_challenge")
        self.code_challenge_method = data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return self.auth_time

    def get_acr(self):
        return None

    def get_amr(self):
        return None


class Token(TokenMixin):
    def __init__(self, client_id, scope):
        self.client_id, self.scope = client_id, scope
        self.issued_at, self.revoked = int(time.time()), False

    def get_client(self):
        return clients[self.client_id]

    def get_user(self):
        return User()

    def is_expired(self):
        return time.time() > self.issued_at + 300

    def is_revoked(self):
        return self.revoked

    def check_client(self, client):
        return client.client_id == self.client_id

    def get_scope(self):
        return self.scope


class User:
    sub = "alice"

    def get_user_id(self):
        return self.sub


codes, refresh_tokens, access_tokens = {}, {}, {}
userinfo_form, userinfo_key, assertions = "plain", None, set()
devices, answers = {}, {}
METHODS = ["none", "client_secret_basic", "client_secret_post", JWTBearerClientAssertion.CLIENT_AUTH_METHOD]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request):
        codes[code] = Code(code, request)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        del codes[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return User()


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return refresh_tokens.get(refresh_token)

    def authenticate_user(self, refresh_token):
        return User()

    def revoke_old_credential(self, refresh_token):
        for text, token in list(refresh_tokens.items()):
            if token is refresh_token:
                del refresh_tokens[text]


class Device(DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self):
        return issuer + "/device"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=time.time() + data["expires_in"], **data)


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        return (User(), answers[user_code]) if user_code in answers else None

    def should_slow_down(self, credential):
        return False

    def generate_token(self, **more):
        token = super().generate_token(**more)
        now, client = int(time.time()), self.request.client
        key = keys[client.id_token_signed_response_alg]
        claims = {"iss": issuer, "aud": [client.client_id], "sub": User.sub, "iat": now, "exp": now + 300,
                  "email": "alice@app.example", "email_verified": True}
        header = {"alg": client.id_token_signed_response_alg, "kid": key.kid}
        return {**token, "id_token": joserfc.jwt.encode(header, claims, key, algorithms=[header["alg"]])}


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, token_string, token_type_hint):
        return refresh_tokens.get(token_string) or access_tokens.get(token_string)

    def revoke_token(self, token, request):
        token.revoked = True
        for text, found in list(refresh_tokens.items()):
            if found is token:
                del refresh_tokens[text]


class Introspection(IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", JWTBearerClientAssertion.CLIENT_AUTH_METHOD]

    def check_permission(self, token, client, request):
        return True

    def query_token(self, token_string, token_type_hint):
        return access_tokens.get(token_string) or refresh_tokens.get(token_string)

    def introspect_token(self, token):
        kind = "Bearer" if token in access_tokens.values() else "refresh_token"
        return {"client_id": token.client_id, "token_type": kind, "username": "alice", "scope": token.scope,
                "sub": User.sub, "aud": token.client_id, "iss": issuer, "iat": token.issued_at,
                "exp": token.issued_at + 300}


class Assertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [issuer]

    def validate_jti(self, claims, jti):
        is_new = jti not in assertions
        assertions.add(jti)
        return is_new

    def resolve_client_public_key(self, client):
        return joserfc.jwk.KeySet.import_key_set(configuration["clientKeys"])


class Bearer(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return access_tokens.get(token_string)


class UserInfo(UserInfoEndpoint):
    def get_issuer(self):
        return issuer

    def resolve_private_key(self):
        return keys["RS256"]

    def __call__(self, request):
        status, body, headers = super().__call__(request)
        if userinfo_form == "encrypted":
            # Authlib signs and does not encrypt.
            header = {"alg": userinfo_key.alg, "enc": "A256GCM", "cty": "JWT", "kid": userinfo_key.kid}
            body = joserfc.jwe.encrypt_compact(header, body, userinfo_key)
        return status, body, headers

    def generate_user_info(self, user, scope):
        sub = "bob" if userinfo_form == "other" else user.sub
        return {"sub": sub, "name": "Alice of userinfo", "email": "alice@app.example", "email_verified": True}


class EndSession(EndSessionEndpoint):
    def get_server_jwks(self):
        return published()

    def end_session(self, end_session_request):
        pass


class Issuer(IssuerParameter):
    def get_issuer(self):
        return issuer


class IDToken(OpenIDCode):
    def exists_nonce(self, nonce, request):
        return False

    def resolve_client_private_key(self, client):
        return keys[client.id_token_signed_response_alg]

    def get_client_claims(self, client):
        return {"iss": issuer, "aud": [client.client_id]}

    def get_encode_header(self, client):
        key = keys[client.id_token_signed_response_alg]
        return {"alg": client.id_token_signed_response_alg, "kid": key.kid}

    def generate_user_info(self, user, scope):
        return {"sub": user.sub, "name": "Alice", "email": "alice@app.example", "email_verified": True}


def save_token(token, request):
    access_tokens[token["access_token"]] = Token(request.client.client_id, token.get("scope", ""))
    if "refresh_token" in token:
        refresh_tokens[token["refresh_token"]] = Token(request.client.client_id, token.get("scope", ""))


app = flask.Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
server.register_grant(CodeGrant, [IDToken(require_nonce=True), CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(Device)
server.register_endpoint(Revocation)
server.register_endpoint(Introspection)
protector = ResourceProtector()
protector.register_token_validator(Bearer())
server.register_endpoint(UserInfo(server, protector))
server.register_endpoint(EndSession)
server.register_client_auth_method(Assertion.CLIENT_AUTH_METHOD, Assertion())
server.register_extension(Issuer())


@app.get("/.well-known/openid-configuration")
def metadata():
    return {
        "issuer": issuer,
        "authorization_endpoint": issuer + "/authorize?tenant=one",
        "token_endpoint": issuer + "/token",
        "device_authorization_endpoint": issuer + "/device_authorization",
        "revocation_endpoint": issuer + "/revoke",
        "introspection_endpoint": issuer + "/introspect",
        "userinfo_endpoint": issuer + "/userinfo",
        "end_session_endpoint": issuer + "/logout?tenant=one",
        "jwks_uri": issuer + keys_path,
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": METHODS[:3] + ["private_key_jwt"],
        "authorization_response_iss_parameter_supported": True,
    }


def published():
    return {"keys": [key.as_dict(private=False) for key in keys.values()]}


@app.get("/jwks", defaults={"place": None})
@app.get("/jwks/<place>")
def jwks(place):
    if flask.request.path == keys_path:
        return published()
    return copies.get(flask.request.path) or flask.abort(404)


@app.get("/authorize")
def authorize():
    try:
        grant = server.get_consent_grant(end_user=User())
    except OAuth2Error as error:
        return server.handle_error_response(server.create_oauth2_request(None), error)
    user = None if flask.request.args.get("login_hint") == "deny" else User()
    return server.create_authorization_response(grant=grant, grant_user=user)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device_authorization")
def device_authorization():
    return server.create_endpoint_response(Device.ENDPOINT_NAME)


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.post("/introspect")
def introspect():
    return server.create_endpoint_response(Introspection.ENDPOINT_NAME)


@app.get("/userinfo")
def userinfo():
    return server.create_endpoint_response(UserInfo.ENDPOINT_NAME)


@app.get("/logout")
def logout():
    return server.create_endpoint_response(EndSession.ENDPOINT_NAME) or "signed out"


def logout_token(client):
    now = int(time.time())
    claims = {"iss": issuer, "aud": client, "sub": User.sub, "sid": "session-1", "iat": now, "exp": now + 120,
              "jti": os.urandom(16).hex(), "events": {"http://schemas.openid.net/event/backchannel-logout": {}}}
    return joserfc.jwt.encode({"alg": "RS256", "kid": keys["RS256"].kid, "typ": "logout+jwt"}, claims, keys["RS256"])


def obey(command):
    global generation, keys, keys_path, userinfo_form, userinfo_key
    if command["do"] == "logout":
        return {"token": logout_token(command["path"])}
    if command["do"] == "userinfo":
        userinfo_form = command["path"]
        userinfo_key = joserfc.jwk.ECKey.import_key(command["key"]) if "key" in command else None
    if command["do"] == "rotate":
        generation += 1
        keys = make_keys()
    if command["do"] in ("approve", "deny"):
        answers[command["path"]] = command["do"] == "approve"
    if command["do"] == "copy":
        copies[keys_path] = published()
    if command["do"] in ("move", "copy"):
        keys_path = command["path"]
    return {}


def obey_the_test():
    for line in sys.stdin:
        print(json.dumps(obey(json.loads(line))), flush=True)
    os._exit(0)


def main():
    global issuer
    listener = make_server("127.0.0.1", configuration["port"], app, threaded=True)
    issuer = f"http://127.0.0.1:{listener.port}"
    threading.Thread(target=obey_the_test, daemon=True).start()
    print(json.dumps({"port": listener.port}), flush=True)
    listener.serve_forever()


if __name__ == "__main__":
    main()
