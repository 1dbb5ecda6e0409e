"""Identity providers of pysaml2. Reads one JSON object per line, and answers each with one.

{"open": {"entity_id", "sso_url", "key", "certificate"}} -> {"metadata": XML}
{"trust": {"entity_id", "sp_metadata"}} -> {}
{"answer": {"entity_id", "request", "name_id", "attributes"}} -> {"acs_url", "response": base64}
"""

import base64
import copy
import json
import sys
import tempfile

from saml2 import BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAME_FORMAT_URI, NameID
from saml2.server import Server

settings = {}
servers = {}


def write(text):
    file = tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False)
    file.write(text)
    file.close()
    return file.name


def open_provider(entity_id, sso_url, key, certificate):
    settings[entity_id] = {
        "entityid": entity_id,
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "key_file": write(key),
        "cert_file": write(certificate),
        "service": {
            "idp": {
                "endpoints": {"single_sign_on_service": [(sso_url, BINDING_HTTP_REDIRECT)]},
                "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
                "name_id_format": [NAMEID_FORMAT_PERSISTENT],
                "signing_algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "digest_algorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
            }
        },
    }
    return {"metadata": str(entity_descriptor(load(entity_id)))}


def load(entity_id, **more):
    return IdPConfig().load({**copy.deepcopy(settings[entity_id]), **more})


def trust(entity_id, sp_metadata):
    servers[entity_id] = Server(config=load(entity_id, metadata={"inline": [sp_metadata]}))
    return {}


def answer(entity_id, request, name_id, attributes):
    server = servers[entity_id]
    parsed = server.parse_authn_request(request, BINDING_HTTP_REDIRECT)
    arguments = server.response_args(parsed.message)
    arguments.pop("name_id_policy", None)
    response = server.create_authn_response(
        attributes,
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=name_id),
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport", "authn_auth": ""},
        sign_assertion=True,
        sign_response=False,
        **arguments,
    )
    return {
        "acs_url": arguments["destination"],
        "response": base64.b64encode(str(response).encode()).decode(),
    }


for line in sys.stdin:
    [(command, arguments)] = json.loads(line).items()
    result = {"open": open_provider, "trust": trust, "answer": answer}[command](**arguments)
    print(json.dumps(result), flush=True)
