"""Signs a user in with Authlib. Reads the address that the browser came back to from its input."""

import json
import os
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt

issuer = os.environ["ISSUER"]
metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
client = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    scope="openid profile",
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
)
verifier, nonce = generate_token(48), generate_token(20)
url, state = client.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)
print(url, flush=True)
token = client.fetch_token(
    metadata["token_endpoint"],
    authorization_response=sys.stdin.readline().strip(),
    state=state,
    code_verifier=verifier,
)
claims = jwt.decode(
    token["id_token"],
    requests.get(metadata["jwks_uri"], timeout=10).json(),
    claims_options={
        "iss": {"essential": True, "value": issuer},
        "aud": {"essential": True, "value": os.environ["CLIENT_ID"]},
        "nonce": {"essential": True, "value": nonce},
    },
)
claims.validate()
print(json.dumps({"sub": claims["sub"]}), flush=True)
