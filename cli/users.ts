import { runUsersCommand } from './users/users-command.ts'

/* The command `npm run users`. */

await runUsersCommand(process.argv.slice(2), 'npm run users --')
