"""Writes django.json: what Django's own dumpdata writes for users with all of its hashers. Needs python3-django."""

import django
from django.conf import settings

hashers = ["PBKDF2", "PBKDF2SHA1", "Argon2", "BCryptSHA256", "BCrypt"]
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    PASSWORD_HASHERS=[f"django.contrib.auth.hashers.{name}PasswordHasher" for name in hashers],
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.hashers import get_hashers, make_password
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

call_command("migrate", verbosity=0)
staff, editors = (Group.objects.create(name=name) for name in ("django staff", "django editors"))
editors.permissions.set(Permission.objects.filter(codename="view_user"))

for hasher in get_hashers():
    name = f"django-{hasher.algorithm.replace('_', '-')}"
    user = User.objects.create(
        username=name,
        email=f"{name}@example.com",
        first_name="Ada",
        last_name=hasher.algorithm,
        password=make_password(f"correct horse {hasher.algorithm}", hasher=hasher),
    )
    user.groups.set([staff, editors])

User.objects.create_superuser("django-root", "django-root@example.com", "correct horse root")
disabled = User.objects.create_user("django-disabled", is_active=False)
disabled.user_permissions.set(Permission.objects.filter(codename="add_user"))
disabled.save()

call_command("dumpdata", "auth.user", "auth.group", indent=1)
