import * as z from 'zod/mini'
import { adminWithScope, withPermission, withPermissionBySession } from '../access.ts'
import { AuditEvent } from '../models/audit-events.ts'
import { givenDateTime } from '../models/fields.ts'
import { RateLimitedSubject } from '../models/rate-limited.ts'
import { SuppressedAddress } from '../models/suppressed-addresses.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryId, queryText } from '../query.ts'

export const audit = {
  getAuditEvents: defineOperation({
    id: 'get_audit_events',
    group: 'audit',
    method: 'GET',
    path: '/api/2/auth/audit-events',
    access: adminWithScope('audit-events:view'),
    summary: 'List audit events, newest first',
    query: z.strictObject({
      user: z.optional(queryId),
      actor: z.optional(queryId),
      event: z.optional(queryText),
      since: z.optional(givenDateTime),
      until: z.optional(givenDateTime),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: z.array(AuditEvent) },
  }),
  getRateLimitedSubjects: defineOperation({
    id: 'get_rate_limited_subjects',
    group: 'audit',
    method: 'GET',
    path: '/api/2/rate-limited',
    access: withPermission('users:manage'),
    summary: 'List accounts, networks and links that reached a rate limit, newest first',
    query: z.strictObject({
      name: z.optional(queryText),
      user: z.optional(queryId),
      ordering: ordering(['since'], '-since'),
      ...paging,
    }),
    responses: { 200: z.array(RateLimitedSubject) },
  }),
  liftRateLimit: defineOperation({
    id: 'lift_rate_limit',
    group: 'audit',
    method: 'DELETE',
    path: '/api/2/rate-limited/{key}',
    access: withPermissionBySession('users:manage'),
    summary: 'Forget what a rate limit counted, so that requests are accepted again',
    responses: { 204: null },
    errors: ['not_found', 'permission_denied'],
    notWhileImpersonating: true,
  }),
  getSuppressedAddresses: defineOperation({
    id: 'get_suppressed_addresses',
    group: 'audit',
    method: 'GET',
    path: '/api/2/suppressed-addresses',
    access: withPermission('users:manage'),
    summary: 'List email addresses that receive no email, newest first',
    query: z.strictObject({
      address: z.optional(queryText),
      ordering: ordering(['since'], '-since'),
      ...paging,
    }),
    responses: { 200: z.array(SuppressedAddress) },
  }),
  liftSuppression: defineOperation({
    id: 'lift_suppression',
    group: 'audit',
    method: 'DELETE',
    path: '/api/2/suppressed-addresses/{key}',
    access: withPermissionBySession('users:manage'),
    summary: 'Let an address receive email again',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
  }),
}
