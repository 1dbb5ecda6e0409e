import type { ImportCommand } from './command.ts'
import { openAuth0 } from './from-auth0.ts'
import { openBetterAuth } from './from-better-auth.ts'
import { openCognito } from './from-cognito.ts'
import { openCsv, readColumnMap } from './from-csv.ts'
import { openDjango } from './from-django.ts'
import { openFirebase } from './from-firebase.ts'
import { openKeycloak } from './from-keycloak.ts'
import type { Source } from './source.ts'

/** Opens the export of a command with the reader of its source. @throws CommandFailure */
export const openSource = (command: ImportCommand): Promise<Source> => {
  const { name, file } = command
  switch (name) {
    case 'django':
      return openDjango(file, command)
    case 'keycloak':
      return openKeycloak(file, command.takesPasskeys)
    case 'auth0':
      return openAuth0(file, command.hashes)
    case 'cognito':
      return openCognito(file, command)
    case 'firebase':
      return openFirebase(file, command.hashConfig)
    case 'better-auth':
      return openBetterAuth(file, command.takesPasskeys)
    case 'csv':
      return openCsv(file, { ...command, columns: readColumnMap(command.map) })
  }
}
