import type { Row } from './row.ts'
import { apiTokenRows } from './rows/api-tokens.ts'
import { groupRows } from './rows/groups.ts'
import { linkRows } from './rows/links.ts'
import { passwordRows } from './rows/passwords.ts'
import { profileRows } from './rows/profile.ts'
import { samlRows } from './rows/saml.ts'
import { sharingRows } from './rows/sharing.ts'
import { signInRows } from './rows/sign-in.ts'
import { userRows } from './rows/users.ts'

/** The parameter matrix: all methods of both clients that Latchkey offers. */
export const rows: readonly Row[] = [
  ...signInRows,
  ...passwordRows,
  ...apiTokenRows,
  ...profileRows,
  ...userRows,
  ...groupRows,
  ...linkRows,
  ...sharingRows,
  ...samlRows,
]
