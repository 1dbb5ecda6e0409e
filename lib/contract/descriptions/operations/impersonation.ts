import { impersonationLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import type { impersonation } from '../../operations/impersonation.ts'
import type { OperationTexts } from '../describe.ts'

export const impersonationTexts: OperationTexts<typeof impersonation> = {
  startImpersonation: {
    description: `Lets an administrator use the service as another user, for example to reproduce a problem that the user reported. From then on, the
session of the request has the rights of that user and none of the administrator. \`get_current_user\` shows the
administrator as \`impersonated_by\`.

The impersonation ends after ${describeDuration(impersonationLifetimeMs)}, with \`stop_impersonation\`, or with the session. It cannot change passwords, second
factors, passkeys or API tokens. Administrators cannot impersonate other administrators, disabled users or themselves. A
session cookie gets a new value; a bearer session keeps its value. The audit event is \`impersonation.started\`.`,
    parameters: {},
    request: [{ summary: 'Impersonate a user', value: { user: 7 } }],
  },
  stopImpersonation: {
    description: `Ends the impersonation of the session. The session then belongs to the administrator again. If they are no longer an
administrator, the session ends. If the session impersonates no one, the response is 409. A session cookie gets a new
value; a bearer session keeps its value. The audit event is \`impersonation.stopped\`.`,
    parameters: {},
  },
}
