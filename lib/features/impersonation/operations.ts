import { adminBySession, bySession } from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { impersonationLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { ImpersonationEndpointRequest } from '../sign-in/sessions.models.ts'

export const impersonation = {
  startImpersonation: defineOperation({
    id: 'start_impersonation',
    group: 'impersonation',
    method: 'POST',
    path: '/api/2/auth/impersonation',
    access: adminBySession,
    summary: 'Impersonate another user in the current session',
    body: ImpersonationEndpointRequest,
    responses: { 204: null },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['impersonation.started'],
    text:
      docs &&
      describe(() => ({
        description: `Lets an administrator use the service as another user, for example to reproduce a problem that the user reported. From then on, the
session of the request has the rights of that user and none of the administrator. \`get_current_user\` shows the
administrator as \`impersonated_by\`.

The impersonation ends after ${describeDuration(impersonationLifetimeMs)}, with \`stop_impersonation\`, or with the session. It cannot change passwords, second
factors, passkeys or API tokens. Administrators cannot impersonate other administrators, disabled users or themselves. A
session cookie gets a new value; a bearer session keeps its value.`,
        parameters: {},
        request: [{ summary: 'Impersonate a user', value: { user: 7 } }],
      })),
  }),
  stopImpersonation: defineOperation({
    id: 'stop_impersonation',
    group: 'impersonation',
    method: 'POST',
    path: '/api/2/auth/impersonation/stop',
    access: bySession,
    summary: 'Stop impersonating',
    responses: { 204: null },
    errors: ['conflict'],
    endsSession: 'impersonation',
    audit: ['session.ended', 'impersonation.stopped'],
    text:
      docs &&
      describe(() => ({
        description: `Ends the impersonation of the session. The session then belongs to the administrator again. If they are no longer an
administrator, the session ends. If the session impersonates no one, the response is 409. A session cookie gets a new
value; a bearer session keeps its value.`,
        parameters: {},
      })),
  }),
}
