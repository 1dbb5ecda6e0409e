import { adminBySession, bySession } from '../access.ts'
import { ImpersonationEndpointRequest } from '../models/impersonation.ts'
import { defineOperation } from '../operation.ts'

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
  }),
}
