import * as z from 'zod/mini'
import { adminBySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { userLinesBytes, userLinesPerRequest } from '../../kernel/limits/limits.ts'
import { UserExportLine, UserImport, UserImportCreate } from './models.ts'

/*
 * A line can give each permission and each credential. So only administrators can import, who hold all permissions, in a
 * session of their own and after a proof of identity.
 */

export const userFiles = {
  importUsers: defineOperation({
    id: 'import_users',
    group: 'user-files',
    method: 'POST',
    path: '/api/2/users/import',
    access: adminBySession,
    summary: 'Import users from lines of a file',
    body: UserImportCreate,
    bodyLimitBytes: userLinesBytes,
    responses: { 200: docs && UserImport },
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['admin_access.given', 'users.imported', 'user.renamed'],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Creates a user for each line, with the same checks as the command \`latchkey users import\`. An invalid line is refused with
its reasons, and the others are imported. Existing users never change. Send files with more than ${userLinesPerRequest} lines in several
requests, one after another.

A repeated request creates nothing twice: a line from which a user was imported before is \`known\`. So send a request again if
its answer was lost. Passwords are imported as hashes of the other system: a line has no passwords in plain text.

The audit event of each user is \`users.imported\`.`,
        parameters: {},
        request: [{ summary: 'One line, without writing anything', value: exampleOf(UserImportCreate) }],
        responses: { 200: [{ summary: 'A line that is refused', value: exampleOf(UserImport) }] },
      })),
  }),
  getExportedUsers: defineOperation({
    id: 'get_exported_users',
    group: 'user-files',
    method: 'GET',
    path: '/api/2/users/export',
    access: adminBySession,
    summary: 'Export users as lines of a file',
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(UserExportLine) },
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['users.exported'],
    text:
      docs &&
      describe(() => ({
        description: `Lists all users but guests of access links as lines that an import accepts, in order of their IDs. Write each as a line of
JSON, then \`import_users\` and the command \`latchkey users import\` read the file. It never contains password hashes or
authenticator keys: the command exports them on request.

A page leaves out guests, so it can have fewer lines than \`limit\`. Each request writes the audit event.`,
        parameters: {},
        responses: { 200: [{ summary: 'A user', value: [exampleOf(UserExportLine)] }] },
      })),
  }),
}
