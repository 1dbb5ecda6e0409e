import * as z from 'zod/mini'
import { anyone, anyoneOrKnown, bySession, withScope } from '../access.ts'
import { AuthLoginEndpointRequest, AuthLoginEndpointResponse } from '../models/login.ts'
import { ReauthenticateRequest } from '../models/reauthentication.ts'
import { SecurityReportRequest, SecurityReportResult } from '../models/security-report.ts'
import { Session } from '../models/sessions.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging } from '../query.ts'

export const sessions = {
  login: defineOperation({
    id: 'login',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/login',
    access: anyone,
    acceptsProduct: true,
    summary: 'Sign in with a password and, if enabled, a one-time password',
    body: AuthLoginEndpointRequest,
    responses: { 200: AuthLoginEndpointResponse },
    errors: [
      'login_failed',
      'login_incomplete',
      'password_rejected',
      'permission_denied',
      'conflict',
      'too_many_requests',
    ],
  }),
  confirmIdentity: defineOperation({
    id: 'confirm_identity',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/reauthenticate',
    access: bySession,
    summary: 'Confirm the identity of the current user before a change of their credentials',
    body: ReauthenticateRequest,
    responses: { 204: null },
    errors: ['login_incomplete', 'too_many_requests', 'conflict'],
    notWhileImpersonating: true,
  }),
  reportChange: defineOperation({
    id: 'report_change',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/security-report',
    access: anyone,
    summary: 'Undo what happened since a change that its user did not make',
    body: SecurityReportRequest,
    responses: { 200: SecurityReportResult },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
  }),
  logout: defineOperation({
    id: 'logout',
    group: 'sessions',
    method: 'POST',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    summary: 'End the current session, if any',
    responses: { 204: null },
    endsSession: 'session',
    allowsSetupSession: true,
  }),
  logoutPage: defineOperation({
    id: 'logout_page',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/logout',
    access: anyoneOrKnown,
    summary: 'End the current session and redirect a browser to the sign-in page',
    responses: { 204: null, 303: null },
    changesState: true,
    endsSession: 'session',
    allowsSetupSession: true,
  }),
  getOwnSessions: defineOperation({
    id: 'get_own_sessions',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/auth/sessions',
    access: withScope('sessions:view'),
    summary: "List the caller's sessions",
    query: z.strictObject({ ...paging, ordering: ordering(['id', 'created_at']) }),
    responses: { 200: z.array(Session) },
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
  }),
}
