/** The output of `--help`, with the text that starts the command. Every line fits a terminal of 80 columns. */
export const formatHelp = (program: string): string => `Imports users from a file or exports them to one.

  ${program} import FILE [--dry-run] [--report FILE] [--table NAME]
  ${program} export [FILE] [--with-secrets] [--table NAME]

import reads JSON Lines (.jsonl, .ndjson) or CSV with a header row (.csv). Each
line is one user, with the fields of POST /api/2/users (username, email,
full_name, groups, permissions, is_enabled, ...) and two more:

  password_hash  bcrypt ($2a$, $2b$, $2y$), Django's bcrypt_sha256$, or an
                 exported bcrypt_sha384$; replaced when the user signs in
  totp_seed      the key of the user's authenticator app in base32

groups has IDs or names of existing groups. In CSV, separate list items with ;
and leave a cell empty to omit its field. Invalid lines are skipped and listed
in the report with their line numbers and reasons. Rerunning with the same file
resumes an interrupted import.

  --dry-run       checks every line, also against the table, and writes nothing
  --report FILE   the report of invalid lines (default: FILE.refused.jsonl)
  --with-secrets  also exports password hashes and authenticator keys
  --table NAME    a deployed table, with the AWS credentials and the region of
                  the environment; KMS_KEY_ID is the key for authenticator keys.
                  Without it: local mode, on DATA_DIR (default .local)

export writes JSON Lines that import can read, to the terminal if there is no
FILE. Only you can read the file.

Exit code: 0 all imported, 1 some lines refused, 2 failed, 130 interrupted.
`
