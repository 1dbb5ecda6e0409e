/** What `--help` shows; every line fits a terminal of 80 columns. */
export const help = `Brings users in from a file, or puts them into one.

  npm run users -- import FILE [--dry-run] [--report FILE] [--table NAME]
  npm run users -- export [FILE] [--with-secrets] [--table NAME]

import takes JSON lines (.jsonl, .ndjson) or CSV with a header row (.csv). Each
line is one user, with the fields that POST /api/2/users takes (username, email,
full_name, groups, permissions, is_enabled, ...) and besides these:

  password_hash  bcrypt ($2a$, $2b$, $2y$), Django's bcrypt_sha256$ or our own
                 bcrypt_sha384$; it is renewed when its user signs in
  totp_seed      the key of the user's authenticator, base32

groups holds ids or names of groups that are there already; in CSV, lists are
separated with ; and an empty cell is a field that was left out. Lines with a
fault are left out, and the report tells line and reasons. The same file again
goes on where it was interrupted.

  --dry-run       checks every line, against the table too, and writes no user
  --report FILE   where refused lines are told (default: FILE.refused.jsonl)
  --with-secrets  exports password hashes and authenticator keys too
  --table NAME    a deployed table, with the AWS credentials and the region of
                  the environment; KMS_KEY_ID is the key for authenticator keys.
                  Without it: local mode, on DATA_DIR (default .local)

export writes JSON lines that import takes, readable by you alone, and to the
terminal when there is no FILE.

Exit code: 0 all in, 1 some lines refused, 2 not possible, 130 interrupted.
`
