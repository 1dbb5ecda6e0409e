import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { anyoneOrKnown, withPermission, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { sessionsPerList } from '../../kernel/limits/limits.ts'
import { Session } from './sessions.models.ts'

const listQuery = z.strictObject({ ...paging, ordering: ordering(['id', 'created_at']) })

/** Lists of sessions, and ending them. */
export const sessionsEnd = {
  logout: defineOperation({
    id: 'logout',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Sign out: end the current session, if any',
    responses: { 204: null },
    endsSession: 'session',
    allowsSetupSession: true,
    audit: ['logout.succeeded', 'impersonation.stopped'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the session of the request, with its tickets and its impersonation. The session cookie is deleted. Without a valid
session the response is the same, so it is safe to repeat. An API token stays valid: delete it with
\`delete_api_token\`.`,
        parameters: {},
      })),
  }),
  logoutPage: defineOperation({
    id: 'logout_page',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Sign out by a link: end the current session and redirect to the sign-in page',
    responses: { 204: null, 303: null },
    changesState: true,
    endsSession: 'session',
    allowsSetupSession: true,
    audit: ['logout.succeeded'],
    text:
      docs &&
      describe(() => ({
        description: `Does the same as \`logout\`, for a link on a page. A browser, whose \`Accept\` header contains \`text/html\`, is redirected to the
sign-in page with 303. Other clients get 204. With the session cookie, the link must be on a page of the service
or of an allowed origin.`,
        parameters: {},
      })),
  }),
  getOwnSessions: defineOperation({
    id: 'get_own_sessions',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/sessions',
    access: withScope('sessions:view'),
    summary: "List the caller's sessions",
    query: listQuery,
    responses: { 200: docs && z.array(Session) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the active sessions of the caller, so that they can recognize and end those that they do not know. \`is_current\`
marks the session of this request. At most ${sessionsPerList.toLocaleString('en-US')} sessions are listed: the current one and the newest others. A
session that an access link opened sees only itself.`,
        parameters: {},
        responses: { 200: [{ summary: 'The session of the request', value: [exampleOf(Session)] }] },
      })),
  }),
  endOwnSession: defineOperation({
    id: 'end_own_session',
    group: 'sessions',
    method: 'DELETE',
    path: '/api/2/auth/sessions/{id}',
    access: withScope('sessions:manage'),
    summary: "End one of the caller's sessions",
    responses: { 204: null },
    errors: ['not_found'],
    audit: ['session.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends one session of the caller at once, with its tickets. Ending the current session signs the caller out and deletes the
cookie. Sessions of other users get a 404. API tokens of administrators and of managers of users cannot do this.`,
        parameters: {
          id: { description: 'The ID of the session, from `get_own_sessions`.', example: exampleIds.session },
        },
      })),
  }),
  getUserSessions: defineOperation({
    id: 'get_user_sessions',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/users/{id}/sessions',
    access: withPermission('users:manage'),
    summary: 'List the sessions of a user',
    query: listQuery,
    responses: { 200: docs && z.array(Session) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists the active sessions of a user with their devices and addresses. A manager of users can end those that the user
does not know. At most ${sessionsPerList.toLocaleString('en-US')} sessions are listed, the newest ones. Callers see only the sessions of users
whose permissions they hold themselves.`,
        parameters: { id: userIdDescription },
        responses: {
          200: [{ summary: 'A session of the user', value: [{ ...exampleOf(Session), is_current: false }] }],
        },
      })),
  }),
  endUserSession: defineOperation({
    id: 'end_user_session',
    group: 'sessions',
    method: 'DELETE',
    path: '/api/2/users/{id}/sessions/{session_id}',
    access: withPermission('users:manage'),
    summary: 'End one session of a user',
    responses: { 204: null },
    errors: ['not_found'],
    audit: ['session.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends one session of a user at once, with its tickets. Their other sessions continue. Callers can end only sessions of
users whose permissions they hold themselves.`,
        parameters: {
          id: userIdDescription,
          session_id: {
            description: 'The ID of the session, from `get_user_sessions`.',
            example: exampleIds.session,
          },
        },
      })),
  }),
  endUserSessions: defineOperation({
    id: 'end_user_sessions',
    group: 'sessions',
    method: 'DELETE',
    path: '/api/2/users/{id}/sessions',
    access: withPermission('users:manage'),
    summary: 'End all sessions of a user',
    responses: { 204: null },
    errors: ['not_found'],
    audit: ['session.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Signs a user out everywhere: all of their sessions, tickets and password reset links end at once. Their API tokens keep
working. The user can sign in again.`,
        parameters: { id: userIdDescription },
      })),
  }),
}
