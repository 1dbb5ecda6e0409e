import * as z from 'zod/mini'
import type { FieldError } from '../../lib/kernel/errors/errors.ts'
import { toFieldErrors } from '../../lib/kernel/errors/field-error.ts'

/*
 * What other systems call an organization and a membership, by their documents of 2026-11:
 * - Auth0: `GET /api/v2/organizations`, and `GET /api/v2/organizations/{id}/members?fields=user_id,email,roles`, whose answer does not
 *   name the organization
 * - Clerk: `GET /v1/organizations` and `GET /v1/organization_memberships`
 * - WorkOS: `GET /organizations` and `GET /user_management/organization_memberships`
 * - Better Auth: the tables organization, member and invitation of its plugin
 */

export const systemNames = ['auth0', 'clerk', 'workos', 'better-auth'] as const
export type SystemName = (typeof systemNames)[number]

export interface ConvertOptions {
  /** The name of the source that users have with their ID there. */
  readonly source: string
  /** Names of roles in the other system, and the keys of roles here. */
  readonly roles: ReadonlyMap<string, string>
}

/** What a record of an export is: a line of the import, or something that it does not take. */
export type Converted = { readonly left?: readonly string[] } & (
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly errors: readonly FieldError[] }
  | { readonly skipped: string }
)

type Given = Readonly<Record<string, unknown>>
type Convert = (record: Given, options: ConvertOptions) => Converted

const text = z.string().check(z.minLength(1), z.maxLength(255))
const maybe = z.optional(z.nullable(z.string()))
const id = z.union([text, z.int()])

/** Checks the fields that a record needs, and reports each that is missing or of another type. */
const read = <Shape extends z.core.$ZodLooseShape>(
  record: Given,
  schema: z.ZodMiniObject<Shape>,
  convert: (read: z.output<z.ZodMiniObject<Shape>>) => Converted,
): Converted => {
  const parsed = z.safeParse(schema, record)
  return parsed.success ? convert(parsed.data) : { errors: toFieldErrors(parsed.error, record, 'line') }
}

/** Makes a slug of a name. One that begins with a digit stays as it is, so that its line is refused with the reason. */
const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replaceAll(/^-|-$/g, '')

interface Member {
  readonly organization: string | number
  readonly user: string | number
  readonly email?: string | null | undefined
  readonly roles: readonly string[]
}

/** A user who was not imported with the ID is found by the address, if it is confirmed here. */
const toMembership = ({ organization, user, email, roles }: Member, options: ConvertOptions): Converted => ({
  fields: {
    organization_external_id: String(organization),
    external_id: { source: options.source, id: String(user) },
    ...(email?.includes('@') ? { email } : {}),
    roles: (roles.length > 0 ? roles : ['member']).map((role) => options.roles.get(role) ?? role),
  },
})

const Auth0Organization = z.object({ id: text, name: text, display_name: maybe })
const Auth0Member = z.object({
  organization_id: text,
  user_id: text,
  email: maybe,
  roles: z.optional(z.array(z.object({ name: text }))),
})
const fromAuth0: Convert = (record, options) =>
  Object.hasOwn(record, 'user_id')
    ? read(record, Auth0Member, ({ organization_id: organization, user_id: user, email, roles = [] }) =>
        toMembership({ organization, user, email, roles: roles.map(({ name }) => name) }, options),
      )
    : read(record, Auth0Organization, ({ id: external_id, name, display_name }) => ({
        fields: { name: display_name || name, slug: name.replaceAll('_', '-'), external_id },
      }))

const ClerkOrganization = z.object({ id: text, name: text, slug: maybe })
const ClerkMembership = z.object({
  organization: z.object({ id: text }),
  public_user_data: z.object({ user_id: text, identifier: maybe }),
  role: text,
})
const fromClerk: Convert = (record, options) =>
  Object.hasOwn(record, 'public_user_data')
    ? read(record, ClerkMembership, ({ organization, public_user_data: { user_id, identifier }, role }) => {
        // Its built-in roles are org:admin and org:member.
        const roles = [options.roles.has(role) ? role : role.replace(/^org:/, '')]
        return toMembership(
          { organization: organization.id, user: user_id, email: identifier, roles },
          options,
        )
      })
    : read(record, ClerkOrganization, ({ id: external_id, name, slug }) => ({
        fields: { name, slug: slug || toSlug(name), external_id },
      }))

const WorkosOrganization = z.object({
  id: text,
  name: text,
  slug: maybe,
  domains: z.optional(z.array(z.unknown())),
})
const WorkosRole = z.object({ slug: text })
const WorkosMembership = z.object({
  organization_id: text,
  user_id: text,
  status: maybe,
  role: z.optional(z.nullable(WorkosRole)),
  roles: z.optional(z.nullable(z.array(WorkosRole))),
})
const fromWorkos: Convert = (record, options) =>
  Object.hasOwn(record, 'user_id')
    ? read(record, WorkosMembership, ({ organization_id: organization, user_id: user, ...others }) => {
        const { status, role, roles } = others
        if (status && status !== 'active') return { skipped: 'memberships that are not active' }
        const all = roles ?? (role ? [role] : [])
        return toMembership({ organization, user, roles: all.map(({ slug }) => slug) }, options)
      })
    : read(record, WorkosOrganization, ({ id: external_id, name, slug, domains = [] }) => ({
        fields: { name, slug: slug || toSlug(name), external_id },
        left: domains.map(() => 'domains'),
      }))

const BetterAuthOrganization = z.object({ id, name: text, slug: text })
const BetterAuthMember = z.object({ organizationId: id, userId: id, role: text })
const fromBetterAuth: Convert = (record, options) => {
  if (Object.hasOwn(record, 'inviterId')) return { skipped: 'invitations' }
  return Object.hasOwn(record, 'userId')
    ? read(record, BetterAuthMember, ({ organizationId: organization, userId: user, role }) =>
        toMembership({ organization, user, roles: role.split(',').map((name) => name.trim()) }, options),
      )
    : read(record, BetterAuthOrganization, ({ id: organization, name, slug }) => ({
        fields: { name, slug, external_id: String(organization) },
      }))
}

const systems: Readonly<Record<SystemName, Convert>> = {
  auth0: fromAuth0,
  clerk: fromClerk,
  workos: fromWorkos,
  'better-auth': fromBetterAuth,
}

/** Makes a line of the import of a record in the export of another system. */
export const convertRecord = (system: SystemName, record: Given, options: ConvertOptions): Converted =>
  // No export has it, and a program that copies fields could take it for the type of the record.
  Object.hasOwn(record, '__proto__')
    ? { errors: [{ field: '__proto__', message: 'is not recognized' }] }
    : systems[system](record, options)
