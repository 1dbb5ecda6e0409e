/** The output of `--help`. Every line fits a terminal of 80 columns. */
export const leaksHelp = `Ends leaked credentials.

  npm run leaks -- report FILE --url URL [--values] [--dry-run]

report finds the credentials in a file, such as a log or a leaked archive, and
reports them to the service. It ends each one and informs its owner. The output
never contains a credential. Running the command again has no further effect.

  --url URL  the origin of the service, such as https://auth.example.com
  --values   each line of the file is a credential. Use this for API tokens with
             custom values, which cannot be recognized in a text
  --dry-run  counts the credentials in the file, and reports nothing

Exit code: 0 all reported, 2 failed, 130 interrupted.
`
