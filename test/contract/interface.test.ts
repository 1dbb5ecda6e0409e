import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { operations } from '../../lib/features/operations.ts'
import type { Access } from '../../lib/kernel/contract/access.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { changesState, getRouteKey } from '../../lib/kernel/contract/operation.ts'
import { checkAll } from '../support/check-all.ts'
import { listDeclarations } from '../support/floors.ts'
import { type AccessLevel, knownOperations } from './known-operations.ts'

/** Lists of what a link or a setting names, and the bounded queue of people who wait. They are complete. */
const boundedLists = [
  'list_connection_scim_calls',
  'list_organization_scim_calls',
  'find_managed',
  'get_access_token_media_library_permissions',
  'get_organization_sign_in',
  'get_product_brandings',
  'list_email_texts',
  'list_hooks',
  'list_organization_email_texts',
  'get_connection_domains',
  'get_saml_setup_links',
  'get_own_directories',
  'get_sign_up_requests',
]

const load = async (file: string): Promise<Record<string, unknown>> =>
  import(new URL(`../../${file}`, import.meta.url).href)

const show = (schema: unknown) => JSON.stringify(z.toJSONSchema(schema as z.ZodMiniType))
const models = new Map(
  (await Promise.all(listDeclarations('models').map(load))).flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => /^[A-Z]/.test(name))
      .flatMap(([name, model]) => [
        [name, show(model)],
        [`${name}[]`, show(z.array(model as z.ZodMiniType))],
      ]),
  ) as [string, string][],
)
const groups = await Promise.all(
  listDeclarations('operations')
    .filter((file) => !file.startsWith('lib/published-clients/'))
    .map(async (file) => [file, await load(file)] as const),
)

const find = (id: string): Operation => {
  const found = operations.find((op) => op.id === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}

const getAccessLevel = (access: Access): AccessLevel | string =>
  access.allow === 'anyone'
    ? 'any'
    : access.allow === 'authenticated'
      ? 'auth'
      : access.permission === 'system:admin-access'
        ? 'admin'
        : access.permission

describe('the known interface', () => {
  it('has 36 operations', () => {
    expect(knownOperations).toHaveLength(36)
  })

  it.each(knownOperations)('%s is declared as %s for %s', (id, route, access, body, answer) => {
    const op = find(id)
    expect(getRouteKey(op)).toBe(route)
    expect(getAccessLevel(op.access)).toBe(access)
    if (body === null) expect(op.body).toBeUndefined()
    else expect(show(op.body)).toBe(models.get(body))

    const answers = Object.entries(op.responses)
    const bodies = answers.flatMap(([, response]) => response ?? [])
    if (answer === null) expect(bodies).toEqual([])
    else if (answer.includes('/')) expect(bodies).toEqual([answer])
    else expect(bodies.map(show)).toEqual([models.get(answer)])
    expect(answers.every(([status]) => /^(20[01]|204|303)$/.test(status))).toBe(true)
  })
})

/** The fields by which lists are ordered that begin with the newest entry. */
const newestFirst: Readonly<Record<string, string>> = {
  get_api_tokens_of_all_users: 'created_at',
  get_organization_events: 'created_at',
  get_audit_events: 'created_at',
  get_rate_limited_subjects: 'since',
  get_suppressed_addresses: 'since',
}

describe('every operation', () => {
  it('has a unique ID and a unique route', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(new Set(operations.map(getRouteKey)).size).toBe(operations.length)
    // API Gateway does not distinguish `{id}` and `{token}` in a route.
    const patterns = operations.map((op) => getRouteKey(op).replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(patterns).size).toBe(operations.length)
  })

  it.each(groups)('in %s belongs to one group, is named after its ID, and is listed', (_, module) => {
    const declared = Object.values(module).flatMap((group) =>
      Object.entries(group as Record<string, Operation>),
    )
    expect(declared.length).toBeGreaterThan(0)
    expect(new Set(declared.map(([, { group }]) => group)).size).toBe(1)
    for (const [key, op] of declared) {
      expect(key).toBe(op.id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
      expect(operations).toContain(op)
    }
  })

  it('is declared in a group file', () => {
    const declared = groups.flatMap(([, module]) =>
      Object.values(module).flatMap((group) => Object.values(group as object)),
    )
    expect(new Set(declared).size).toBe(operations.length)
  })

  it('is well-formed', () => {
    checkAll(
      operations.map((op) => [op.id, op] as const),
      (_, op) => {
        expect(op.id).toMatch(/^[a-z]+(_[a-z]+)+$|^log(in|out)$/)
        expect(op.path).toMatch(
          op.group === 'pages'
            ? /^\/([a-z-]*|favicon\.ico|(robots|licenses)\.txt|\.well-known\/[a-z-]+(\.txt)?|assets\/(js\/\{folder\}|css)\/\{name\}|api\/2\/openapi\.json|docs\/(search\.json|\{topic\}|guides\/\{guide\}))$/
            : /^\/\.well-known\/[a-z.-]+$|^\/logos\/\{hash\}$|^\/device(\/answer)?$|^\/sign-in-question\/\{id\}\/\{question\}$|^\/scim\/v2\/\{connection_id\}\/\{resource\}(\/\{resource_key\})?$|^\/oauth2(\/[a-z]+|\/\{uid\})+$|^\/api\/2(\/[a-z-]+|\/\{(id|name|kind|passkey_id|account_id|key|token|token_id|app_id|secret_id|session_id|device_id|user_id|invitation_id|link_id|connection_id|domain|link|person|slug|owner|language)\})+$/,
        )
        expect(op.summary).toMatch(/^[A-Z][^\n]{5,}[^.]$/)
        expect(Object.keys(op.responses).length).toBeGreaterThan(0)
        if (op.method === 'GET' || op.method === 'DELETE') expect(op.body).toBeUndefined()
        if (op.query) expect(() => z.toJSONSchema(op.query as z.ZodMiniType, { io: 'input' })).not.toThrow()
        for (const [status, response] of Object.entries(op.responses)) {
          expect(response === null).toBe(['204', '303', '304'].includes(status))
          if (typeof response === 'object' && response) expect(() => z.toJSONSchema(response)).not.toThrow()
        }
      },
    )
  })

  it('that returns a list accepts paging and ordering', () => {
    const lists = operations.filter(({ responses }) => {
      const answer = responses[200]
      return typeof answer === 'object' && answer?.type === 'array'
    })
    expect(lists.length).toBeGreaterThan(5)
    for (const { id, query } of lists) {
      if (boundedLists.includes(id)) continue
      const parsed = z.safeParse(query as z.ZodMiniType, {})
      const time = newestFirst[id]
      expect(parsed.data).toMatchObject({
        limit: 1000,
        offset: 0,
        ordering: { field: time ?? 'id', descending: time !== undefined },
      })
    }
  })

  it.each(operations.filter(({ id }) => /^(update|patch)_/.test(id)))(
    '$id accepts a body as it was returned',
    (op) => {
      const read = z.toJSONSchema(op.responses[200] as z.ZodMiniType).properties ?? {}
      const given = Object.fromEntries(Object.keys(read).map((field) => [field, 'x']))
      const unknown = (body: object) =>
        z
          .safeParse(op.body as z.ZodMiniType, body)
          .error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
      expect(unknown(given) ?? []).toEqual([])
      expect(unknown({ ...given, is_admin: true })).toEqual(['is_admin'])
    },
  )

  it('has only optional query parameters', () => {
    for (const { query } of operations) if (query) expect(z.safeParse(query, {}).success).toBe(true)
  })

  it('that a person decides with on a page takes the name of what the page showed', () => {
    const decisions = operations.filter(
      ({ bodyType, access }) =>
        bodyType === 'form' && access.allow === 'anyone' && access.credential === 'optional',
    )
    const withoutName = decisions.filter(({ body }) => {
      const { error } = z.safeParse(body ?? z.object({}), {})
      return !error?.issues.some(({ path }) => path[0] === 'shown')
    })
    expect(decisions.length).toBeGreaterThan(3)
    // The first only looks a code up. Identity providers send the others.
    expect(withoutName.map(({ id }) => id)).toEqual(['enter_device_code'])
  })

  it('rejects unknown query parameters, except for pages, directories and redirects of other parties', () => {
    const lenient = operations.filter(({ query }) => query && z.safeParse(query, { unheard_of: '1' }).success)
    expect(lenient.map(({ id }) => id)).toEqual([
      'start_authorization',
      'logout_for_client',
      'show_device_page',
      'receive_oidc_answer',
      'return_from_saml_logout',
      ...['list_scim_resources', 'create_scim_resource', 'get_scim_resource'],
      ...['replace_scim_resource', 'change_scim_resource', 'delete_scim_resource'],
      'get_logo',
      'sign_in_page',
      'reset_page',
      'secure_page',
      'confirm_page',
      'link_page',
      'passkeys_page',
      'sign_up_page',
      'invite_page',
      'setup_page',
      'account_page',
      'organization_page',
      'admin_page',
      'get_script',
      'get_stylesheet',
      'reference_page',
      'reference_topic_page',
      'guide_page',
      'get_favicon',
      'get_robots',
      'get_licenses',
    ])
  })

  it('accepts JSON up to the usual limit, except for forms, SAML responses, directories, groups with members, files of users and logos', () => {
    const others = operations.filter(({ bodyType, bodyLimitBytes }) => bodyType || bodyLimitBytes)
    expect(others).toMatchObject([
      { id: 'start_authorization_by_form', bodyType: 'form', bodyLimitBytes: 6144 },
      { id: 'answer_consent', bodyType: 'form' },
      { id: 'issue_tokens', bodyType: 'form' },
      { id: 'logout_for_client_by_form', bodyType: 'form', bodyLimitBytes: 6144 },
      { id: 'confirm_logout_for_client', bodyType: 'form' },
      { id: 'push_authorization_request', bodyType: 'form' },
      { id: 'start_device_authorization', bodyType: 'form' },
      { id: 'enter_device_code', bodyType: 'form' },
      { id: 'answer_device', bodyType: 'form' },
      { id: 'get_userinfo_by_form', bodyType: 'form' },
      { id: 'introspect_token', bodyType: 'form' },
      { id: 'revoke_token', bodyType: 'form' },
      { id: 'set_saml_setup_metadata', bodyLimitBytes: 1_048_576 },
      { id: 'receive_saml_auth_assertion', bodyType: 'form', bodyLimitBytes: 262_144 },
      { id: 'diagnose_saml_response', bodyLimitBytes: 262_144 },
      { id: 'receive_oidc_answer_by_form', bodyType: 'form' },
      { id: 'receive_apple_notification', bodyLimitBytes: 16_384 },
      { id: 'receive_upstream_logout', bodyType: 'form' },
      { id: 'answer_sign_in_question', bodyType: 'form' },
      { id: 'create_scim_resource', bodyType: 'scim', bodyLimitBytes: 1_048_576 },
      { id: 'replace_scim_resource', bodyType: 'scim', bodyLimitBytes: 1_048_576 },
      { id: 'change_scim_resource', bodyType: 'scim', bodyLimitBytes: 1_048_576 },
      { id: 'update_group', bodyLimitBytes: 2_097_152 },
      { id: 'patch_group', bodyLimitBytes: 2_097_152 },
      { id: 'update_organization_branding', bodyLimitBytes: 393_216 },
      { id: 'import_users', bodyLimitBytes: 262_144 },
      { id: 'upload_logo', bodyLimitBytes: 196_608 },
      { id: 'upload_product_logo', bodyLimitBytes: 196_608 },
    ])
  })

  it('that creates something responds with 201', () => {
    const creating = operations.filter(({ responses }) => responses[201] !== undefined).map(({ id }) => id)
    expect(creating.sort()).toEqual(
      operations
        .map(({ id }) => id)
        .filter(
          (id) =>
            id === 'push_authorization_request' ||
            (/^(create_|share_|link_user_)/.test(id) && !['create_auth_ticket', 'create_jwt'].includes(id)),
        )
        .sort(),
    )
  })

  it('rejects reset tokens everywhere except the password tools', () => {
    const open = operations.filter(
      ({ access }) => access.allow !== 'anyone' && access.by.includes('reset_token'),
    )
    expect(open.map(({ id }) => id).sort()).toEqual(['evaluate_password', 'generate_password'])
  })

  it('that changes something with GET declares it', () => {
    const gets = operations.filter((op) => op.method === 'GET' && changesState(op))
    expect(gets.map(({ id }) => id).sort()).toEqual(['logout_page', 'start_saml_logout'])
  })
})
