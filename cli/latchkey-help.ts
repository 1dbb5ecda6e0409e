/** The output of `latchkey --help`. Every line fits a terminal of 80 columns. */
export const latchkeyHelp = `Runs Latchkey on this machine, and imports or exports its users.

  latchkey start       starts local mode: the service with its own database
  latchkey users ...   imports or exports users; see latchkey users --help
  latchkey --version   prints the version

start reads its settings from environment variables, such as PORT, DATA_DIR and
ADMIN_PASSWORD. latchkey start --help lists all of them.

Exit code: 0 stopped or done, 1 failed to run, 2 wrong arguments. The users
command has its own exit codes.
`
