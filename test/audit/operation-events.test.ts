import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleNewPassword, examplePassword } from '../../lib/accounts/example-values.models.ts'
import { backgroundWriters, type Writer } from '../../lib/features/audit/audit-writers.models.ts'
import { operations } from '../../lib/features/operations.ts'
import { type AuditEventName, auditEvents } from '../../lib/kernel/contract/audit-events.ts'
import { getRouteKey, type Operation } from '../../lib/kernel/contract/operation.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type ExampleRequest, listExamples, startExamples } from '../support/example-requests.ts'
import { prepareGuesses } from '../support/guess-secrets.ts'
import { addPasskey } from '../support/passkeys.ts'
import { writtenEvents, writtenItems } from '../support/watch-declared-writes.ts'

/*
 * Each operation that declares audit events is carried out: by its examples, with wrong secrets, and as `outcomes` says. Each outcome
 * writes exactly its events, and all of them together are those that the operation declares.
 */

const live = closeAfterTests(await startExamples({ TRUSTED_PROXIES: '127.0.0.1, ::1' }))

const declaring = operations.filter(({ audit }) => audit !== undefined)
const findOperation = (id: string): Operation => {
  const found = operations.find((op) => op.id === id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return found
}

type Outcome = readonly [
  events: readonly AuditEventName[],
  /** Prepares more, and returns how the request differs from the first example. */
  change: (request: ExampleRequest) => Promise<Partial<ExampleRequest>> | Partial<ExampleRequest>,
]

const withBody =
  (fields: object) =>
  ({ body }: ExampleRequest): Partial<ExampleRequest> => ({ body: { ...body, ...fields } })
const call = async (method: string, path: string, body?: object, { bearer } = live.world.admin) => {
  const answer = await live.service.client(method, `/api/2/${path}`, { bearer, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}
const asAda = (): Partial<ExampleRequest> => ({ bearer: live.world.ada.bearer })
const inBrowserOfAda = (): Partial<ExampleRequest> => ({
  headers: { cookie: `latchkey=${live.world.ada.bearer}`, 'sec-fetch-site': 'same-origin' },
})
/** Carries out another operation, and sends the request after it. */
const after = (id: string) => async (): Promise<Partial<ExampleRequest>> => {
  await live.send(await live.prepare(findOperation(id)))
  return {}
}
const withCode =
  (choose: (codes: readonly string[]) => string | undefined, fields: object, name = 'otp') =>
  async (): Promise<Partial<ExampleRequest>> => {
    const { recoveryCodes } = await enableSecondFactor(live.service, live.world.ada)
    return { body: { ...fields, [name]: choose(recoveryCodes) } }
  }
const wrong = () => '000000'
const recovery = (codes: readonly string[]) => codes[0]
const giveAda = (...permissions: string[]) => call('PATCH', 'users/7', { permissions })
const admin = 'system:admin-access'
const editAda =
  (before: readonly string[], permissions: readonly string[]) =>
  async ({ method, body }: ExampleRequest): Promise<Partial<ExampleRequest>> => {
    await giveAda(...before)
    return { body: method === 'PUT' ? { ...body, permissions } : { permissions } }
  }
const editGroup =
  (before: object, fields: object) =>
  async ({ method, body }: ExampleRequest): Promise<Partial<ExampleRequest>> => {
    await call('PATCH', 'groups/3', before)
    return { body: method === 'PUT' ? { ...body, ...fields } : fields }
  }
const addGuestLink = (creator = live.world.admin): Promise<JsonValue> =>
  call(
    'POST',
    'auth/access-tokens',
    { bundles: [{ id: 5, asset: 8, name: 'A bundle' }], permissions: { allow_read: true } },
    creator,
  )

const current = { current_password: examplePassword }

/** What the examples and wrong secrets do not lead to. */
const outcomes: Readonly<Record<string, readonly Outcome[]>> = {
  login: [
    [['login.failed'], withBody({ password: 'a wrong password' })],
    [
      ['login.succeeded', 'totp.recovery_code_used'],
      withCode(recovery, { username: 'ada', password: examplePassword }),
    ],
  ],
  confirm_identity: [
    [['password.refused'], withBody({ password: 'a wrong password' })],
    [
      ['session.reauthenticated', 'totp.recovery_code_used'],
      withCode(recovery, { password: examplePassword }),
    ],
    [['totp.refused'], withCode(wrong, { password: examplePassword })],
  ],
  change_own_password: [
    [['password.refused'], withBody({ current_password: 'a wrong password' })],
    [
      ['password.changed', 'totp.recovery_code_used'],
      withCode(recovery, { password: exampleNewPassword, ...current }, 'current_otp'),
    ],
    [['totp.refused'], withCode(wrong, { password: exampleNewPassword, ...current }, 'current_otp')],
  ],
  update_api_token: [[['api_token.changed'], withBody({ name: 'Nightly backup' })]],
  patch_api_token: [[['api_token.changed'], withBody({ name: 'Nightly backup' })]],
  sync_totp: [[['totp.refused'], withBody({ otp: '000000' })]],
  disable_totp: [
    [
      ['totp.disabled'],
      async () => {
        await enableSecondFactor(live.service, live.world.ada)
        return { bearer: live.world.admin.bearer }
      },
    ],
    [
      ['totp.disabled', 'totp.recovery_code_used'],
      async ({ path }) => {
        const { recoveryCodes } = await enableSecondFactor(live.service, live.world.ada)
        return { path: `${path}otp=${recoveryCodes[0]}` }
      },
    ],
    [
      ['totp.refused'],
      async ({ path }) => {
        await enableSecondFactor(live.service, live.world.ada)
        return { path: `${path}otp=000000` }
      },
    ],
  ],
  logout: [
    [['logout.succeeded'], asAda],
    [
      ['logout.succeeded', 'impersonation.stopped'],
      async () => {
        await call('POST', 'auth/impersonation', { user: 7 })
        return { bearer: live.world.admin.bearer }
      },
    ],
  ],
  logout_page: [[['logout.succeeded'], inBrowserOfAda]],
  start_saml_logout: [[['logout.succeeded'], inBrowserOfAda]],
  start_authorization: [[['oidc_client.authorized'], inBrowserOfAda]],
  issue_tokens: [
    [
      ['oidc_client.token_reused'],
      async (request) => {
        await live.send(request)
        return {}
      },
    ],
  ],
  withdraw_account_deletion: [[['user.deletion_withdrawn'], after('request_account_deletion')]],
  request_organization_ending: [[['organization.ending_requested'], () => ({ body: {} })]],
  update_organization_policy: [[['organization_policy.changed'], () => ({ body: { creations_max: 5 } })]],
  withdraw_organization_ending: [[['organization.ending_withdrawn'], after('request_organization_ending')]],
  create_user: [
    [
      ['user.created', 'admin_access.given'],
      () => ({ body: { username: randomUUID(), groups: [], permissions: [admin] } }),
    ],
  ],
  patch_user: [
    [['user.changed', 'admin_access.given'], editAda([], [admin])],
    [['user.changed', 'admin_access.taken'], editAda([admin], [])],
  ],
  update_user: [
    [['user.changed', 'admin_access.given'], editAda([], [admin])],
    [['user.changed', 'admin_access.taken'], editAda([admin], [])],
  ],
  delete_user: [
    [
      ['user.deleted', 'access_token.deleted', 'admin_access.taken', 'organization.member_removed'],
      async () => {
        await giveAda(admin)
        return {}
      },
    ],
  ],
  create_group: [
    [
      ['group.created', 'admin_access.given'],
      () => ({ body: { name: randomUUID(), permissions: [admin], members: [] } }),
    ],
  ],
  patch_group: [
    [['group.changed', 'admin_access.given'], editGroup({}, { permissions: [admin] })],
    [['group.changed', 'admin_access.taken'], editGroup({ permissions: [admin] }, { permissions: [] })],
    [['group.changed', 'group.member_removed'], editGroup({ members: [7] }, { members: [] })],
    [['group.changed', 'group.member_added'], editGroup({ members: [] }, { members: [7] })],
  ],
  change_group_members: [
    [['group.changed', 'group.member_removed'], editGroup({ members: [7] }, { remove: [7] })],
    [['group.changed', 'group.member_added'], editGroup({ members: [] }, { add: [7] })],
  ],
  update_group: [
    [
      ['group.changed', 'admin_access.given'],
      editGroup({ members: [] }, { permissions: [admin], members: [] }),
    ],
    [
      ['group.changed', 'admin_access.taken'],
      editGroup({ members: [], permissions: [admin] }, { permissions: [], members: [] }),
    ],
    [['group.changed', 'group.member_removed'], editGroup({ members: [7] }, { members: [] })],
    [['group.changed', 'group.member_added'], editGroup({ members: [] }, { members: [7] })],
  ],
  delete_group: [
    [
      ['group.deleted', 'admin_access.taken'],
      async () => {
        await call('PATCH', 'groups/3', { permissions: [admin] })
        return {}
      },
    ],
  ],
  upload_logo: [
    [
      ['branding.changed'],
      async () => {
        await call('DELETE', 'branding/logo')
        return {}
      },
    ],
  ],
  reset_product_branding: [[['branding.reset'], after('update_product_branding')]],
  reset_email_text: [[['branding.changed'], after('update_email_text')]],
  reset_organization_email_text: [[['organization.changed'], after('update_organization_email_text')]],
  reset_organization_branding: [[['organization.changed'], after('update_organization_branding')]],
  delete_product_logo: [[['branding.changed'], after('upload_product_logo')]],
  complete_sign_up: [
    [
      ['sign_up.waiting'],
      async () => {
        await call('PUT', 'system/sign-up-policy', { mode: 'approval' })
        return {}
      },
    ],
  ],
  delete_access_token: [
    [
      ['access_token.deleted', 'user.deleted'],
      async () => ({ path: `/api/2/auth/access-tokens/${(await addGuestLink()).id}` }),
    ],
  ],
  report_change: [
    [
      ['security.reported', 'api_token.deleted', 'passkey.removed'],
      async () => {
        await call('POST', 'api-tokens', { name: 'of a thief' }, live.world.ada)
        await addPasskey(live.service, live.world.ada)
        return {}
      },
    ],
  ],
  end_user_holdings: [
    [
      [
        ...(['user.everything_ended', 'access_token.deleted', 'user.deleted', 'api_token.deleted'] as const),
        'passkey.removed',
      ],
      async () => {
        await giveAda('media:access')
        await call('POST', 'api-tokens', { name: 'nightly export' }, live.world.ada)
        await addPasskey(live.service, live.world.ada)
        await addGuestLink(live.world.ada)
        return {}
      },
    ],
  ],
  report_leaked_credentials: [
    [
      ['credential.leaked', 'access_token.deleted', 'user.deleted'],
      async () => ({ body: { credentials: [(await addGuestLink()).token] } }),
    ],
  ],
  delete_saml_provider: [[['saml_provider.deleted', 'session.ended'], after('receive_saml_auth_assertion')]],
  delete_oidc_connection: [[['oidc_connection.deleted', 'session.ended'], after('receive_oidc_answer')]],
  vouch_for_connection_domain: [
    [
      ['connection.domain_vouched'],
      async () => {
        await call('POST', 'auth/connections/2/domains', { domain: 'other.example' })
        return { path: '/api/2/auth/connections/2/domains/other.example/vouch' }
      },
    ],
  ],
}

/** Returns the events of the operation that a request writes, and no others that came before it. */
const sendAndRead = async (op: Operation, request: ExampleRequest): Promise<readonly AuditEventName[]> => {
  writtenEvents.clear()
  writtenItems.clear()
  const answer = await live.send(request)
  for (const item of writtenItems.get(getRouteKey(op)) ?? []) {
    if (answer.status < 300) expectFacts(op, item)
    const secrets = [request.body, answer.status < 300 ? answer.body : {}].flatMap(listSecrets)
    const stored = JSON.stringify(item)
    for (const secret of secrets) expect(stored).not.toContain(secret)
  }
  return [...(writtenEvents.get(getRouteKey(op)) ?? [])]
}

/** Events about a change that has no fields. */
const withoutFields: ReadonlySet<string> = new Set([
  // A password has no value to name.
  'password.changed',
  // The connection is new, and its own event names the fields.
  'saml_setup.changed',
])
const tellsFields = (event: string): boolean =>
  !withoutFields.has(event) && /\.changed$|^organization\.member_/.test(event)

/** The event of a change names who made it with which credential, in which organization, and each field. */
const expectFacts = (op: Operation, item: JsonValue): void => {
  const { event, credential, changes } = item
  if (op.access.allow !== 'anyone') expect(credential, event).toEqual(expect.any(String))
  if (['session', 'api_token'].includes(credential))
    expect(item.credentialId, event).toEqual(expect.any(Number))
  if (event.startsWith('organization.') && !/roles|policy/.test(event))
    expect(item.organization, event).toEqual(expect.any(Number))
  if (!tellsFields(event)) return
  expect(changes?.length, `${op.id} writes ${event} without changes`).toBeGreaterThan(0)
  const names = changes.map(({ field }: JsonValue) => field)
  // Fields of unregistered clients and of metadata come from documents, and restored ones from before.
  for (const { field, from, to } of changes) {
    expect(field).toEqual(expect.any(String))
    expect([from, to].filter((value) => value === undefined).length % 2, `${event} ${field}`).toBe(0)
    if (from !== undefined) expect(from).not.toEqual(to)
  }
  expect(names).not.toContain('password')
}

const secretName = /password|secret|token$|otp|code$|key$|assertion|certificate|^metadata$/i
/** The values that nobody may read later, by what clients call them. */
const listSecrets = (value: JsonValue): readonly string[] =>
  Object.entries(value ?? {}).flatMap(([name, part]) => {
    if (typeof part === 'string') return secretName.test(name) && part.length > 7 ? [part] : []
    return typeof part === 'object' && part !== null ? listSecrets(part) : []
  })

const produced = new Map<string, Set<AuditEventName>>(declaring.map(({ id }) => [id, new Set()]))
const note = ({ id }: Operation, events: readonly AuditEventName[]): void => {
  for (const event of events) produced.get(id)?.add(event)
}

/** Whether the event is of a request that was refused. `sign_up.refused` is what an approver decides. */
const isRefusal = (event: AuditEventName): boolean =>
  event !== 'sign_up.refused' && /failed$|refused$|not_found$|cloned$/.test(event)

describe('an operation writes', () => {
  it.each(declaring.map((op) => [op.id, op] as const))(
    'its events when its examples succeed: %s',
    async (_, op) => {
      for (const { value } of listExamples(op)) {
        const events = await sendAndRead(op, await live.prepare(op, value))
        expect(events.filter((event) => isRefusal(event) || !op.audit?.includes(event))).toEqual([])
        note(op, events)
      }
    },
  )

  const guessed = declaring.filter(({ limits }) => limits?.includes('lookUpFailures'))
  it.each(guessed.map((op) => [op.id, op] as const))('one event for a wrong secret: %s', async (_, op) => {
    const { guesses } = await prepareGuesses(live, op)
    for (const [index, [, request]] of guesses.entries()) {
      const headers = { ...request.headers, 'x-forwarded-for': `203.0.${guessed.indexOf(op)}.${index + 1}` }
      const events = await sendAndRead(op, { ...request, headers })
      expect(events.filter((event) => !isRefusal(event))).toEqual([])
      note(op, events)
    }
  })

  const rows = Object.entries(outcomes).flatMap(([id, list]) =>
    list.map(([events, change]) => [id, events.join(', '), events, change] as const),
  )
  it.each(rows)('in %s: %s', async (id, _, events, change) => {
    const op = findOperation(id)
    const request = await live.prepare(op)
    const sent = { ...request, ...(await change(request)) }
    const written = await sendAndRead(op, sent)
    expect([...written].sort()).toEqual([...events].sort())
    note(op, written)
  })
})

/** A service without hooks writes none of them. */
const ofHook: readonly AuditEventName[] = ['hook.failed', 'hook.bypassed']

const ofSignUpHook: readonly AuditEventName[] = ['hook.failed', 'hook.refused']

/** Events of an answer over OpenID Connect, whichever way it came. */
const ofOidcAnswer: readonly AuditEventName[] = [
  'email.confirmed',
  'email.claim_ended',
  'user.renamed',
  'user.changed',
  'invitation.accepted',
  'group.created',
  'company_account.linked',
  'user.started_anew',
  'company_account.unlinked',
  'passkey.removed',
  'api_token.deleted',
  'organization.member_added',
  'organization.member_changed',
  'organization.invitation_accepted',
  'login.failed',
  ...(['hook.failed', 'hook.refused', 'hook.bypassed'] as const),
]

/** What ends or comes back of people with an account. */
const ofScimEnd: readonly AuditEventName[] = [
  ...(['scim.user_returned', 'scim.owner_kept', 'user.everything_ended', 'user.changed'] as const),
  ...(['session.ended', 'access_token.deleted', 'api_token.deleted'] as const),
  ...(['organization.invitation_revoked', 'organization.member_removed'] as const),
  ...(['organization.member_added', 'organization.member_changed', 'email.change_requested'] as const),
  ...(['email.claim_ended', 'passkey.removed', 'saml_setup.link_revoked', 'user.deleted'] as const),
]

/**
 * Events that take an old system, a hook, an identity provider with other answers, an agent with a document, a clock or the accounts of several
 * people. Other tests produce them, and each of their writes is compared with the declaration: see `watch-declared-writes.ts`.
 */
const elsewhere: Readonly<Record<string, readonly AuditEventName[]>> = {
  change_hook: ['hook.turned_on'],
  try_hook: ['hook.tried'],
  start_authorization: ['oidc_client.described', 'oidc_client.changed'],
  start_authorization_by_form: ['oidc_client.described', 'oidc_client.changed', 'oidc_client.authorized'],
  resume_authorization: ['oidc_client.described', 'oidc_client.changed'],
  answer_consent: ['oidc_client.described', 'oidc_client.changed'],
  issue_tokens: ['oidc_client.authorized', 'oidc_client.changed', 'oidc_client.token_issued', 'hook.failed'],
  try_oidc_client_sign_in: ['hook.failed'],
  logout_for_client: ['logout.succeeded'],
  logout_for_client_by_form: ['logout.succeeded'],
  confirm_logout_for_client: ['logout.succeeded'],
  // Sessions of the creator that end at the same time.
  create_access_token: ['access_token.deleted', 'user.deleted'],
  share_media_library_objects: ['access_token.deleted', 'user.deleted'],
  push_authorization_request: ['oidc_client.changed'],
  start_device_authorization: ['oidc_client.changed'],
  answer_device: ['oidc_client.device_approved', 'oidc_client.device_denied'],
  introspect_token: ['oidc_client.changed'],
  revoke_token: ['oidc_client.changed'],
  login: [
    'password.taken_over',
    'remembered_device.created',
    'remembered_device.reused',
    'password.check_failed',
    ...ofHook,
  ],
  report_change: [
    'user.renamed',
    'totp.disabled',
    'user.changed',
    'user.deletion_withdrawn',
    'company_account.unlinked',
    'organization.api_token_deleted',
    'organization.invitation_revoked',
    'saml_setup.link_revoked',
    'scim.token_deleted',
  ],
  set_user_password: [
    'api_token.deleted',
    'user.started_anew',
    'company_account.unlinked',
    'passkey.removed',
  ],
  stop_impersonation: ['session.ended'],
  redeem_access_token: ['access_token.refused'],
  create_api_token: ['api_token.deleted'],
  login_with_email_code: ['remembered_device.created', 'remembered_device.reused', ...ofHook],
  login_with_passkey: ['password.changed', 'remembered_device.created', 'passkey.cloned', ...ofHook],
  reauthenticate_with_passkey: ['passkey.cloned'],
  create_connection_domain: ['connection.domain_proven', 'connection.approval_requested'],
  check_connection_domain: [
    ...(['connection.domain_proven', 'connection.domain_lost'] as const),
    'connection.approval_requested',
  ],
  check_organization_domain: [
    'connection.domain_added',
    'connection.domain_proven',
    'connection.domain_lost',
    'connection.approval_requested',
  ],
  answer_own_directory: ['scim.changes_declined', 'user.changed'],
  create_organization_sign_in: ['saml_provider.created', 'saml_setup.link_created'],
  bring_back_connection_scim_user: ['scim.user_returned', 'user.changed', 'organization.member_added'],
  bring_back_organization_scim_user: ['scim.user_returned', 'user.changed', 'organization.member_added'],
  create_scim_resource: [
    ...(['scim.group_created', 'scim.group_changed', 'scim.group_deleted', 'scim.user_deleted'] as const),
    ...(['scim.user_changed', 'scim.user_ended'] as const),
    ...ofScimEnd,
  ],
  replace_scim_resource: ['scim.group_changed', 'scim.user_ended', ...ofScimEnd],
  change_scim_resource: ['scim.group_changed', 'scim.user_changed', ...ofScimEnd],
  delete_scim_resource: ['scim.group_deleted', 'scim.user_changed', ...ofScimEnd],
  delete_organization_sign_in: ['saml_provider.deleted', 'session.ended'],
  accept_organization_invitation: ['organization.member_changed'],
  finish_saml_setup: ['connection.approval_requested'],
  stop_organization_sign_ins: ['connection.stopped', 'session.ended'],
  receive_saml_auth_assertion: [
    'email.confirmed',
    'email.claim_ended',
    'user.renamed',
    'user.changed',
    'invitation.accepted',
    'group.created',
    'company_account.linked',
    'user.started_anew',
    'company_account.unlinked',
    'passkey.removed',
    'api_token.deleted',
    'organization.member_added',
    'organization.member_changed',
    'organization.invitation_accepted',
    'login.failed',
    ...(['hook.failed', 'hook.refused', 'hook.bypassed'] as const),
  ],
  return_from_saml_auth: ['ticket.created'],
  receive_oidc_answer: ofOidcAnswer,
  receive_oidc_answer_by_form: ofOidcAnswer,
  return_from_oidc_sign_in: ['ticket.created'],
  receive_apple_notification: ['session.ended', 'company_account.notified'],
  receive_upstream_logout: ['session.ended'],
  answer_sign_in_question: ofOidcAnswer,
  return_from_saml_logout: ['session.ended', 'saml_logout.answered'],
  link_user_company_account: [
    'user.started_anew',
    'api_token.deleted',
    'company_account.unlinked',
    'passkey.removed',
  ],
  create_user: ['email.claim_ended', 'user.renamed'],
  update_user: [
    'api_token.deleted',
    'email.claim_ended',
    'user.renamed',
    'user.started_anew',
    'company_account.unlinked',
    'passkey.removed',
  ],
  patch_user: [
    'api_token.deleted',
    'email.claim_ended',
    'user.renamed',
    'user.started_anew',
    'company_account.unlinked',
    'passkey.removed',
  ],
  recount_organization: ['organization.recounted'],
  end_user_holdings: ['organization.invitation_revoked', 'saml_setup.link_revoked'],
  merge_user: [
    'user.changed',
    'admin_access.taken',
    'user.started_anew',
    'api_token.deleted',
    'company_account.unlinked',
    'passkey.removed',
    'organization.member_removed',
    'organization.member_added',
    'organization.member_changed',
  ],
  confirm_email: ['email.claim_ended', 'user.renamed'],
  import_users: ['admin_access.given', 'users.imported', 'user.renamed'],
  accept_invitation: ['email.claim_ended', 'user.renamed', 'login.failed', ...ofHook],
  accept_invitation_with_passkey: ['email.claim_ended', 'user.renamed', 'login.failed', ...ofHook],
  complete_sign_up: ['email.claim_ended', 'user.renamed', ...ofSignUpHook],
  complete_invited_sign_up: ['email.claim_ended', 'user.renamed', ...ofSignUpHook],
  approve_sign_up: ['email.claim_ended', 'user.renamed'],
}

it('each declared event is written by an outcome above, or has its test elsewhere', () => {
  const missing = declaring.flatMap(({ id, audit = [] }) => {
    const events = audit.filter((event) => !produced.get(id)?.has(event))
    return events.length === 0 ? [] : [[id, events] as const]
  })
  expect(Object.fromEntries(missing)).toEqual(elsewhere)
})

it('each event has something that writes it', () => {
  const writers: readonly Partial<Writer>[] = [...operations, ...Object.values(backgroundWriters)]
  const written = new Set<string>(writers.flatMap(({ audit = [] }) => audit))
  expect(Object.keys(auditEvents).filter((event) => !written.has(event))).toEqual(['access.denied'])
})
