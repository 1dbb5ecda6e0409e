"""Prints users with passwords of one kind, as JSON Lines: the password, and its hash as the other system stores it.

    python3 make-hashes.py django-pbkdf2-sha256 100

Django and Passlib hash with their own code. The other systems are not Python, so their published form is written here.
A hash costs the least with which it is stored as it is, because thousands of users are to sign in.
Needs python3-django, python3-passlib, python3-argon2, python3-bcrypt and python3-cryptography.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import sys

import argon2.low_level
import bcrypt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings
from passlib import hash as passlib

hashers = ["PBKDF2", "PBKDF2SHA1", "Argon2", "BCryptSHA256", "BCrypt", "SHA1", "MD5"]
settings.configure(PASSWORD_HASHERS=[f"django.contrib.auth.hashers.{name}PasswordHasher" for name in hashers])

from django.contrib.auth import hashers as django  # noqa: E402

rounds = 100_000
argon2_costs = {"memory_cost": 16 * 1024, "time_cost": 1, "parallelism": 1}
bcrypt_cost = 4
for hasher in (django.PBKDF2PasswordHasher, django.PBKDF2SHA1PasswordHasher):
    hasher.iterations = rounds
for name, cost in argon2_costs.items():
    setattr(django.Argon2PasswordHasher, name, cost)
for hasher in (django.BCryptSHA256PasswordHasher, django.BCryptPasswordHasher):
    hasher.rounds = bcrypt_cost


def b64(data):
    return base64.b64encode(data).decode()


def b64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def django_scrypt(password):
    """Django 4.0 and later. Debian's is older."""
    salt = b64url(os.urandom(16))
    digest = hashlib.scrypt(password.encode(), salt=salt.encode(), n=2**14, r=8, p=1, maxmem=2**26, dklen=64)
    return f"scrypt${2**14}${salt}$8$1${b64(digest)}"


def keycloak(algorithm, rounds, salt, digest, parameters={}):
    return json.dumps({
        "type": "password",
        "secretData": json.dumps({"value": b64(digest), "salt": b64(salt), "additionalParameters": {}}),
        "credentialData": json.dumps(
            {"hashIterations": rounds, "algorithm": algorithm, "additionalParameters": parameters}
        ),
    })


def keycloak_pbkdf2(name, rounds):
    def make(password):
        salt = os.urandom(16)
        digest = hashlib.pbkdf2_hmac(name, password.encode(), salt, rounds, 64)
        return keycloak(f"pbkdf2-{name}", rounds, salt, digest)

    return make


def keycloak_argon2(password):
    salt = os.urandom(16)
    options = {"time_cost": 5, "memory_cost": 7168, "parallelism": 1, "hash_len": 32}
    digest = argon2.low_level.hash_secret_raw(password.encode(), salt, type=argon2.low_level.Type.ID, **options)
    parameters = {"hashLength": ["32"], "memory": ["7168"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}
    return keycloak("argon2", 5, salt, digest, parameters)


def asp_net_2(password):
    salt = os.urandom(16)
    return b64(b"\0" + salt + hashlib.pbkdf2_hmac("sha1", password.encode(), salt, 1000, 32))


def asp_net_3(password):
    salt = os.urandom(16)
    head = b"\1" + struct.pack(">III", 2, rounds, len(salt))
    return b64(head + salt + hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, 32))


firebase_key, firebase_separator = os.urandom(64), b"\7"


def firebase(password):
    salt = os.urandom(10)
    key = hashlib.scrypt(
        password.encode(), salt=salt + firebase_separator, n=2**14, r=8, p=1, maxmem=2**26, dklen=32
    )
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    digest = encryptor.update(firebase_key) + encryptor.finalize()
    options = f"n=14,r=8,p=1,sep={b64url(firebase_separator)},key={b64url(firebase_key)},l=64"
    return f"scrypt-firebase${options}${b64url(salt)}${b64url(digest)}"


def wordpress(password):
    inner = b64(hmac.digest(b"wp-sha384", password.encode(), "sha384"))
    return "$wp" + bcrypt.hashpw(inner.encode(), bcrypt.gensalt(bcrypt_cost, prefix=b"2b")).decode().replace("$2b$", "$2y$")


def from_django(algorithm):
    return lambda password: django.make_password(password, hasher=algorithm)


kinds = {
    "django-pbkdf2-sha256": from_django("pbkdf2_sha256"),
    "django-pbkdf2-sha1": from_django("pbkdf2_sha1"),
    "django-argon2": from_django("argon2"),
    "django-scrypt": django_scrypt,
    "django-bcrypt-sha256": from_django("bcrypt_sha256"),
    "django-bcrypt": from_django("bcrypt"),
    "django-sha1": from_django("sha1"),
    "django-md5": from_django("md5"),
    "passlib-pbkdf2-sha1": passlib.pbkdf2_sha1.using(rounds=rounds).hash,
    "passlib-pbkdf2-sha256": passlib.pbkdf2_sha256.hash,
    "passlib-pbkdf2-sha512": passlib.pbkdf2_sha512.hash,
    "passlib-scrypt": passlib.scrypt.using(rounds=14).hash,
    "passlib-argon2": lambda password: passlib.argon2.using(**argon2_costs).hash(password),
    # As WordPress before 6.8.
    "passlib-phpass": passlib.phpass.using(rounds=13).hash,
    "ldap-ssha": passlib.ldap_salted_sha1.hash,
    "ldap-ssha256": passlib.ldap_salted_sha256.hash,
    "ldap-ssha512": passlib.ldap_salted_sha512.hash,
    "keycloak-pbkdf2-sha256": keycloak_pbkdf2("sha256", 27_500),
    "keycloak-pbkdf2-sha512": keycloak_pbkdf2("sha512", rounds),
    "keycloak-argon2": keycloak_argon2,
    "asp-net-2": asp_net_2,
    "asp-net-3": asp_net_3,
    "firebase": firebase,
    "wordpress-6.8": wordpress,
}

make = kinds[sys.argv[1]]
for at in range(int(sys.argv[2])):
    password = f"lètmein {at} avec une phrase"
    print(json.dumps({"password": password, "password_hash": make(password)}))
