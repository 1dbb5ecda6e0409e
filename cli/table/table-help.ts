/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const tableHelp = `Maintains the table of a service.

  npm run table -- end-credentials [--restored [--replaced NAME]]
                   [--passwords keep|change|remove] [--api-tokens keep|end]
                   [--recovery-codes keep|end] [--access-links keep|end]
                   [--dry-run] [--rate N] [--table NAME]
  npm run table -- prepare --table NAME [--replaced NAME]
                   [--create-with-key ARN] [--dry-run]
  npm run table -- reencrypt --table NAME [--dry-run] [--rate N]
  npm run table -- copy --table NAME --to NAME [--dry-run] [--rate N]

end-credentials ends all sessions, tickets, reset links, emailed codes and links
of security emails of all users. Use it after a restore or a leak of the table.

  --restored        the table was restored: its one-time items and counters are
                    older than what the service gave out. API tokens and
                    recovery codes end too, because some were deleted or used
  --replaced NAME   the table before the restore. Only what was deleted or used
                    there since ends: API tokens, recovery codes, passkeys,
                    access links and their views. Users who were disabled or
                    deleted there are disabled, and changed passwords must be
                    changed again
  --passwords       change: users set a new password when they next sign in;
                    remove: users need a reset link by email (default: keep)
  --api-tokens, --recovery-codes, --access-links
                    keep or end those of all users

prepare turns on the stream of keys, the expiry, the point-in-time recovery and
the deletion protection of a restored table. It prints the settings with which
a stack adopts the table. --replaced names a table whose tags it gets.
--create-with-key creates an empty table first, encrypted with this KMS key.

reencrypt encrypts all secrets inside the table with the key KMS_KEY_ID, if they
are encrypted with KMS_OTHER_KEY_ID. The service may run at the same time.

copy copies all items into another table, for example in another account, and
encrypts their secrets likewise. No service may use either table. --table can be
an ARN. Run it again to verify: then it copies nothing and finds every item.

  --dry-run     reads everything, prints what would be done, and writes nothing
  --rate N      items to read in a second at most (default: 1000)
  --table NAME  a deployed table, with the AWS credentials and the region of the
                environment. Without it: local mode, on DATA_DIR

An interrupted command resumes when it is run again in the same folder.

Exit code: 0 done, 2 failed, 130 interrupted.
`
