"""Fills the database with users until there are as many as the argument says, and prints the tokens of the first ones."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402

total, people, password = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
User = get_user_model()
call_command("migrate", verbosity=0)
# Readers and a writer do not wait for each other then. The setting stays in the file.
connection.cursor().execute("PRAGMA journal_mode=WAL")
if not User.objects.exists():
    hashed = make_password(password)
    for at in range(people):
        user = User.objects.create(username=f"person-{at}", email=f"person-{at}@example.com", password=hashed)
        Token.objects.create(user=user)
User.objects.bulk_create(
    (
        User(
            username=f"seeded-{at:07}",
            first_name="Person",
            last_name=f"{at} of the Directory",
            email=f"person.{at}@example.com",
            password="!",
        )
        for at in range(User.objects.count(), total)
    ),
    batch_size=500,
)
print(json.dumps([token.key for token in Token.objects.order_by("user_id")[:people]]))
