/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const auditHelp = `Finds changes of the audit log.

  npm run audit -- verify [--expect CHECKPOINT] [--table NAME]
                          [--public-key FILE]
  npm run audit -- checkpoints [--table NAME] [--public-key FILE]

verify reads all audit events with their chains and signed checkpoints. It finds
events that were changed, removed, moved, or added later, and writes nothing.
Only signed checkpoints count. A table that was set back as a whole has earlier
checkpoints that match, so it is found only with --expect.
checkpoints lists the signed checkpoints, newest last.

  --expect CHECKPOINT  a checkpoint that must exist, such as 12:Zk3v... from the
                       log of audit-chain or from an earlier verification
  --table NAME         a deployed table, with the AWS credentials and the region
                       of the environment; AUDIT_KEY_ID is the key that signs.
                       Without it: local mode, on DATA_DIR (default .local)
  --public-key FILE    the public key in PEM format, instead of AUDIT_KEY_ID, or
                       after a change of keys all of them, earliest first

Exit code: 0 nothing found, 1 tampering found, 2 failed, 130 interrupted.
`
