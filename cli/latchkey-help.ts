/** The output of `latchkey --help`. Every line fits a terminal of 80 columns. */
export const latchkeyHelp = `Runs Latchkey on this machine, and imports or exports its users.

  latchkey start       starts local mode: the service with its own database
  latchkey users ...   imports or exports users; see latchkey users --help
  latchkey --version   prints the version

start reads its settings from environment variables. These are the first ones:

  PORT             the port of the service (default 3000); emails are shown on
                   the next port
  DATA_DIR         the folder for data (default .local in the current folder);
                   :memory: keeps nothing
  ADMIN_PASSWORD   the password of the user admin on the first start
  ALLOWED_ORIGINS  the origins of your products, separated by commas

Exit code: 0 stopped or done, 1 failed to run, 2 wrong arguments. The users
command has its own exit codes.
`
