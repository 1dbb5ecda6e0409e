import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { bySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { OwnDirectory, OwnDirectoryAnswer } from './agreements.models.ts'

const path = '/api/2/users/me/directories'

/** What users let the directories of their companies change. */
export const scimAgreements = {
  getOwnDirectories: defineOperation({
    id: 'get_own_directories',
    group: 'users',
    method: 'GET',
    path,
    access: bySession,
    summary: 'List the directories that ask to change the current user',
    responses: { 200: docs && z.array(OwnDirectory) },
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Lists the directories of companies that have the current user, and whether each may keep their name up to date. A directory
that brought the account needs no answer, and is not listed.`,
        parameters: {},
        responses: { 200: [{ summary: 'A directory that asks', value: [exampleOf(OwnDirectory)] }] },
      })),
  }),
  answerOwnDirectory: defineOperation({
    id: 'answer_own_directory',
    group: 'users',
    method: 'PUT',
    path: `${path}/{id}`,
    access: bySession,
    summary: 'Let a directory keep the name of the current user up to date, or not',
    body: OwnDirectoryAnswer,
    responses: { 200: docs && OwnDirectory },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    localChange: 'by_connection',
    audit: ['scim.changes_agreed', 'scim.changes_declined', 'user.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Agrees or declines. After you agree, your name is what the directory has, now and at each of its changes. It changes no
username, address, password or role. You can decline at any time: your name then stays as it is. If the directory has another name by now
than \`shown\` names, nothing is decided: 409 with the reason \`decision_changed\`.`,
        parameters: {
          id: docs && {
            description: 'The ID of the connection, from `get_own_directories`.',
            example: exampleIds.oidcConnection,
          },
        },
        request: [{ summary: 'Agree', value: exampleOf(OwnDirectoryAnswer) }],
        responses: {
          200: [{ summary: 'Agreed', value: { ...exampleOf(OwnDirectory), state: 'agreed' as const } }],
        },
      })),
  }),
}
