# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Drives the service with requests that schemathesis makes from GoTrue's published description, and
checks each answer against it. Standard input: {"url": ..., "key": ..., "schema": path, "token": ...,
"examples": N}. Prints {"operations": {name: requests}, "failures": [texts]}.

Of the description only what Signet serves is looked at. It says nothing of answers to requests that
are none (a body that is no JSON, a key that is missing), so statuses are checked by CHECKED below.
"""

import json
import sys

import schemathesis
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS

given_input = json.load(sys.stdin)
SERVED = {
    ("POST", "/token"), ("POST", "/logout"), ("POST", "/verify"), ("POST", "/signup"),
    ("POST", "/otp"), ("GET", "/user"), ("PUT", "/user"), ("POST", "/recover"),
    ("POST", "/resend"), ("POST", "/reauthenticate"), ("GET", "/health"), ("GET", "/settings"),
}
# What the description does not list, and a server may answer to anything.
ALSO = {400, 401, 403, 404, 405, 413, 422, 429}

with open(given_input["schema"]) as file:
    raw = yaml.safe_load(file)
raw["servers"] = [{"url": given_input["url"]}]
# Neither of the two has a required member, so every object matches both.
content = raw["paths"]["/signup"]["post"]["responses"][200]["content"]["application/json"]
content["schema"] = {"anyOf": content["schema"]["oneOf"]}
schema = schemathesis.openapi.from_dict(raw)
counts, failures = {}, []
# Without a version: it describes errors as they were before 2024.
headers = {"apikey": given_input["key"]}

for result in schema.get_all_operations():
    operation = result.ok()
    name = (operation.method.upper(), operation.path)
    if name not in SERVED:
        continue
    label = " ".join(name)
    counts[label] = 0
    # A sign-out would end the session that the others need.
    needs_token = operation.path in ("/user", "/reauthenticate")

    @given(case=operation.as_strategy())
    @settings(
        max_examples=given_input["examples"], deadline=None, database=None,
        phases=[Phase.explicit, Phase.generate], derandomize=True,
        suppress_health_check=list(HealthCheck))
    def check(case):
        more = dict(headers)
        if needs_token:
            more["Authorization"] = "Bearer " + given_input["token"]
        response = case.call(base_url=given_input["url"], headers=more)
        counts[label] += 1
        status = response.status_code
        listed = {int(code) for code in operation.definition.raw["responses"] if str(code).isdigit()}
        if status not in listed | ALSO:
            failures.append(f"{label}: {status} {response.text[:200]}")
        # No request of any kind may cause a server error.
        if status >= 500:
            failures.append(f"{label}: {status} for {case.body!r}"[:300])
        if status in listed:
            try:
                case.validate_response(response, checks=[
                    CHECKS.get_one("response_schema_conformance"),
                    CHECKS.get_one("content_type_conformance")])
            except (Exception, BaseExceptionGroup) as error:
                error = getattr(error, "exceptions", [error])[0]
                failures.append(f"{label}: {status} {error}"[:600])
        if status >= 400:
            body = response.json()
            assert "code" in body or "error" in body or "message" in body, body

    try:
        check()
    except (Exception, BaseExceptionGroup) as error:
        failures.append(f"{label}: {type(error).__name__} {error}"[:600])

print(json.dumps({"operations": counts, "failures": failures[:20]}))
