from django.contrib.auth.hashers import BCryptSHA256PasswordHasher


class BCryptOfCost10(BCryptSHA256PasswordHasher):
    rounds = 10
