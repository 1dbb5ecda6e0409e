import { describe, expect, it } from 'vitest'
import { thingLists } from '../../lib/features/configuration/document.models.ts'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { settings, things } from '../../lib/features/configuration/kinds.part.ts'
import { planChanges } from '../../lib/features/configuration/plan.part.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { settingsKinds, thingKinds } from '../../lib/kernel/contract/managed-kinds.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { useService } from '../support/use-service.ts'
import { apply, createContext, listProblems, unique } from './support.ts'

const service = await useService()
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const texts = { en: 'Films' }

/** A document of an owner that no other test has. */
const createDocument = () => {
  const owner = unique('shop')
  const audience = `https://${owner}.example.com/api`
  return {
    schema_version: 1,
    owner,
    apis: {
      [`${owner}-films`]: {
        name: `${owner} films`,
        audience,
        permissions: [{ name: 'films:view', texts }],
        scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
      },
    },
    groups: { [`${owner}-editors`]: { name: `${owner} editors`, permissions: ['films:view'] } },
    user_templates: { [`${owner}-staff`]: { name: `${owner} staff`, groups: [`${owner}-editors`] } },
    clients: {
      [`${owner}-web`]: {
        name: `${owner} web`,
        redirect_uris: [`https://${owner}.example.com/callback`],
        apis: [{ audience, scopes: ['films.read'] }],
        machine_permissions: ['films:view'],
        machine_groups: [`${owner}-editors`],
      },
    },
  }
}

describe('a document', () => {
  it('creates what it has, in the order of what refers to what, and nothing the second time', async () => {
    const document = createDocument()
    const { owner } = document
    expect((await apply(services, document)).map(({ kind, action }) => `${action} ${kind}`)).toEqual([
      'create api',
      'create group',
      'create user_template',
      'create client',
    ])
    const groups = await call('GET', `/api/2/groups?name=${owner} editors`)
    const [group] = groups.body
    expect(group.permissions).toEqual(['films:view'])
    const clients = await call('GET', `/api/2/oidc-clients?filter=${owner} web`)
    expect(clients.body).toMatchObject([
      { redirect_uris: [`https://${owner}.example.com/callback`], machine_groups: [group.id] },
    ])
    expect(await apply(services, document)).toEqual([])
  })

  it('changes only the field that differs, and leaves the secret and the ID of a client as they are', async () => {
    const document = createDocument()
    await apply(services, document)
    const find = async () => (await call('GET', `/api/2/oidc-clients?filter=${document.owner}`)).body[0]
    const before = await find()
    const [key = ''] = Object.keys(document.clients)
    const clients = { [key]: { ...document.clients[key], access_token_lifetime: 900 } }
    const changed = await apply(services, { ...document, clients })
    expect(changed.map(({ key: name, fields }) => [name, fields])).toEqual([
      [key, [{ name: 'access_token_lifetime', before: 600, after: 900 }]],
    ])
    expect(await find()).toEqual({ ...before, access_token_lifetime: 900 })
  })

  it('returns a field that it no longer has to its default', async () => {
    const document = createDocument()
    await apply(services, document)
    const [key = ''] = Object.keys(document.groups)
    await apply(services, { ...document, groups: { [key]: { name: `${document.owner} editors` } } })
    const { body } = await call('GET', `/api/2/groups?name=${document.owner} editors`)
    expect(body[0].permissions).toEqual([])
  })

  it('shows what somebody changed since, and changes it back', async () => {
    const document = createDocument()
    await apply(services, document)
    const [group] = (await call('GET', `/api/2/groups?name=${document.owner} editors`)).body
    await call('POST', `system/managed/group/${document.owner}-editors/unlock`)
    await call('PATCH', `/api/2/groups/${group.id}`, { permissions: ['films:view', 'films:edit'] })
    const changes = await apply(services, document)
    expect(changes.map(({ fields }) => fields)).toEqual([
      [{ name: 'permissions', before: ['films:edit', 'films:view'], after: ['films:view'] }],
    ])
    expect((await call('GET', `/api/2/groups/${group.id}`)).body.permissions).toEqual(['films:view'])
  })

  it('creates again what somebody deleted, under the same key', async () => {
    const document = createDocument()
    await apply(services, document)
    const [group] = (await call('GET', `/api/2/groups?name=${document.owner} editors`)).body
    await call('POST', `system/managed/group/${document.owner}-editors/unlock`)
    await call('DELETE', `/api/2/groups/${group.id}`)
    expect((await apply(services, document)).map(({ kind, action }) => `${action} ${kind}`)).toEqual([
      'create group',
      'update user_template',
      'update client',
    ])
    expect(await apply(services, document)).toEqual([])
  })

  it('leaves what it no longer has, and deletes it only when asked to. Its key stays taken', async () => {
    const document = createDocument()
    await apply(services, document)
    const { clients: _, ...rest } = document
    expect(await apply(services, rest)).toEqual([])
    const deleted = await apply(services, rest, { prune: true })
    expect(deleted.map(({ kind, action }) => `${action} ${kind}`)).toEqual(['delete client'])
    expect((await call('GET', `/api/2/oidc-clients?filter=${document.owner}`)).body).toEqual([])
    expect(await listProblems(() => apply(services, document))).toEqual([
      `clients.${document.owner}-web was the key of something that was deleted. Use a new key`,
    ])
  })

  it('deletes in the order of what refers to what', async () => {
    const document = createDocument()
    await apply(services, document)
    const { schema_version, owner } = document
    const deleted = await apply(services, { schema_version, owner }, { prune: true })
    expect(deleted.map(({ kind }) => kind)).toEqual(['client', 'user_template', 'group', 'api'])
  })

  it('takes over what a person made only when it says so', async () => {
    const owner = unique('shop')
    const { body: group } = await call('POST', '/api/2/groups', { name: `${owner} staff` })
    const document = { schema_version: 1, owner, groups: { [`${owner}-staff`]: { name: `${owner} staff` } } }
    expect(await listProblems(() => apply(services, document))).toEqual([
      `groups.${owner}-staff has the name of something that exists. Set \`adopt: true\` to manage it from here`,
    ])
    const groups = {
      [`${owner}-staff`]: { name: `${owner} staff`, permissions: ['films:view'], adopt: true },
    }
    await apply(services, { ...document, groups })
    expect((await call('GET', `/api/2/groups/${group.id}`)).body.permissions).toEqual(['films:view'])
  })

  it('never changes what another owner manages', async () => {
    const document = createDocument()
    await apply(services, document)
    const other = unique('other')
    const problems = await listProblems(() => apply(services, { ...document, owner: other }))
    expect(problems).toEqual(
      ['apis', 'groups', 'user_templates', 'clients'].map((list, at) => {
        const key = `${document.owner}-${['films', 'editors', 'staff', 'web'][at]}`
        return `${list}.${key} belongs to ${document.owner}. The command latchkey config transfer can give it to another owner`
      }),
    )
    const groups = { [`${other}-editors`]: { name: `${document.owner} editors`, adopt: true } }
    expect(await listProblems(() => apply(services, { schema_version: 1, owner: other, groups }))).toEqual([
      `groups.${other}-editors has the name of ${document.owner}-editors, which belongs to ${document.owner}. The command latchkey config transfer can give it to another owner`,
    ])
  })

  it('lists everything that is wrong with it, and writes nothing', async () => {
    const document = createDocument()
    const { owner } = document
    const wrong = {
      ...document,
      user_templates: {
        [`${owner}-staff`]: { name: `${owner} staff`, permissions: ['system:admin-access'] },
      },
      clients: {
        [`${owner}-web`]: {
          name: `${owner} web`,
          redirect_uris: ['http://films.example.com/callback'],
          apis: [{ audience: `https://${owner}.example.com/api`, scopes: ['films.write'] }],
        },
        [`${owner}-tv`]: { name: `${owner} web`, redirect_uris: ['https://tv.example.com/'] },
      },
    }
    const problems = await listProblems(() => apply(services, wrong))
    expect(problems).toEqual([
      `user_templates.${owner}-staff.permissions must not grant \`system:admin-access\`. Grant it to users directly.`,
      expect.stringMatching(`^clients.${owner}-web.redirect_uris.0 `),
      `clients.${owner}-web.apis.0.scopes.0 must be a scope of this API`,
    ])
    expect((await call('GET', `/api/2/groups?name=${owner} editors`)).body).toEqual([])
  })

  it('notes every change in the audit log as one that a document made', async () => {
    const document = createDocument()
    await apply(services, document)
    const { body } = await call('GET', `/api/2/oidc-clients?filter=${document.owner}`)
    const events = (await readAuditItems(services.table)).filter(
      ({ event, target }) => event === 'oidc_client.created' && target === String(body[0].id),
    )
    expect(events).toMatchObject([{ credential: 'configuration', actor: null, user: null }])
  })
})

describe('a document that contradicts itself', () => {
  const admin = ['system:admin-access']
  const noTemplate = 'must not grant `system:admin-access`. Grant it to users directly.'
  type Document = ReturnType<typeof createDocument> & { readonly [name: string]: unknown }

  const changeFirst = (list: object, fields: object) => {
    const [[key = '', entry] = []] = Object.entries(list)
    return { [key]: { ...entry, ...fields } }
  }
  const addConnection = ({ owner }: Document) => ({
    [`${owner}-acme`]: {
      ...{ name: owner, issuer: `https://${owner}.example.com`, client_id: 'latchkey' },
      ...{ token_endpoint_auth_method: 'private_key_jwt', user_template: `${owner}-staff` },
    },
  })

  const cases: readonly (readonly [
    title: string,
    change: (before: Document) => object,
    problem: (owner: string) => string,
  ])[] = [
    [
      'makes users of a template administrators by a group',
      ({ groups }) => ({ groups: changeFirst(groups, { permissions: admin }) }),
      (owner) => `user_templates.${owner}-staff.groups ${noTemplate}`,
    ],
    [
      'takes a scope from an API that a client gets',
      ({ apis }) => ({ apis: changeFirst(apis, { scopes: [] }) }),
      (owner) => `clients.${owner}-web.apis.0.scopes.0 must be a scope of this API`,
    ],
    [
      'lets people who sign up manage users by a group of their template',
      ({ owner, groups }) => ({
        groups: changeFirst(groups, { permissions: ['users:manage'] }),
        sign_up_policy: { mode: 'open', user_template: `${owner}-staff`, adopt: true },
      }),
      () =>
        'sign_up_policy.user_template must be a template that exists. Neither it nor its groups may have `system:admin-access` or `users:manage`.',
    ],
  ]

  it.each(cases)('is refused when it %s, also if only a part of it is new', async (_, change, problem) => {
    const isolated = await startService()
    try {
      const before: Document = createDocument()
      const after = { ...before, ...change(before) }
      const expected = [problem(before.owner)]
      expect(await listProblems(() => apply(isolated.services, after))).toEqual(expected)
      await apply(isolated.services, before)
      const items = await isolated.services.table.list('configuration', '')
      expect(await listProblems(() => apply(isolated.services, after))).toEqual(expected)
      expect(await isolated.services.table.list('configuration', '')).toEqual(items)
    } finally {
      await isolated.close()
    }
  })

  it.each<readonly [list: 'apis' | 'groups' | 'user_templates', field: string, problem: RegExp]>([
    ['apis', 'clients.*-web.apis.0.audience', /must be the audience of a registered API/],
    ['groups', 'user_templates.*-staff.groups.0', /must be the key of one of the groups/],
    ['user_templates', 'oidc_connections.*-acme.user_template', /must be the key of one of the user_templ/],
  ])('is refused when it deletes %s that it still names', async (list, field, problem) => {
    const before: Document = createDocument()
    const all = { ...before, oidc_connections: addConnection(before) }
    await apply(services, all)
    const { [list]: _, ...rest } = all
    const problems = await listProblems(() => apply(services, rest, { prune: true }))
    const path = field.replace('*', before.owner)
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${path} ${problem.source}`)))
    expect(await apply(services, all)).toEqual([])
  })

  it('is no document that moves what it deletes out of the way first', async () => {
    const before: Document = createDocument()
    const { owner } = before
    const connection = addConnection(before)
    const named = changeFirst(connection, { user_template: null })
    await apply(services, { ...before, oidc_connections: connection })
    const { user_templates: _, ...rest } = before
    const changed = await apply(services, { ...rest, oidc_connections: named }, { prune: true })
    expect(changed.map(({ action, key }) => `${action} ${key}`)).toEqual([
      `update ${owner}-acme`,
      `delete ${owner}-staff`,
    ])
  })

  it('names only what is wrong, and not what refers to it', async () => {
    const document = createDocument()
    const { owner } = document
    const name = `${owner} editors`
    const groups = { [`${owner}-authors`]: { name }, [`${owner}-editors`]: { name } }
    const problems = await listProblems(() => apply(services, { ...document, groups }))
    expect(problems).toEqual([expect.stringContaining(`groups.${owner}-editors`)])
  })
})

/** Applies a document with a table that fails at one write. Returns whether it came to the end before. */
const applyUntil = async (document: object, last: number): Promise<boolean> => {
  const { table } = services
  let writes = 0
  const stop = () => {
    if (writes++ === last) throw new Error('killed')
  }
  const killed: typeof table = {
    ...table,
    transact: (...given) => {
      stop()
      return table.transact(...given)
    },
    update: (...given) => {
      stop()
      return table.update(...given)
    },
  }
  return apply({ ...services, table: killed }, document).then(
    () => true,
    (error: Error) => {
      if (error.message !== 'killed') throw error
      return false
    },
  )
}

describe('an interrupted run', () => {
  it('ends alike after another one, whichever write was the last', async () => {
    let isDone = false
    let writes = 0
    for (let last = 0; !isDone; last += 1) {
      const document = createDocument()
      isDone = await applyUntil(document, last)
      await apply(services, document)
      for (const path of [
        `groups?name=${document.owner} editors`,
        `oidc-clients?filter=${document.owner} web`,
      ])
        expect((await call('GET', `/api/2/${path}`)).body, `killed at write ${last}`).toHaveLength(1)
      expect(await apply(services, document)).toEqual([])
      writes = last
    }
    // A transaction and a note for each of four things.
    expect(writes).toBe(8)
  })

  it('creates each thing once, although two run at once', async () => {
    const document = createDocument()
    const runs = await Promise.allSettled([1, 2, 3].map(() => apply(services, document)))
    expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await call('GET', `/api/2/oidc-clients?filter=${document.owner}`)).body).toHaveLength(1)
    expect(await apply(services, document)).toEqual([])
  })
})

describe('the settings of a service', () => {
  /** Settings are shared by all tests of a service, so these have their own. */
  const withOwnService = async (test: (own: TestService) => Promise<void>) => {
    const own = await startService()
    try {
      await test(own)
    } finally {
      await own.close()
    }
  }

  it('are taken over while nobody has set them, and then belong to one owner', async () => {
    await withOwnService(async (own) => {
      const document = {
        schema_version: 1,
        owner: 'shop',
        password_policy: { min_length: 14, no_pwned: true },
      }
      await apply(own.services, document)
      expect((await own.client('GET', '/api/2/system/password-policy')).body).toMatchObject({
        min_length: 14,
      })
      expect(await apply(own.services, document)).toEqual([])
      expect(await listProblems(() => apply(own.services, { ...document, owner: 'other' }))).toEqual([
        'password_policy belongs to shop. The command latchkey config transfer can give it to another owner',
      ])
      await apply(own.services, { schema_version: 1, owner: 'shop' }, { prune: true })
      expect((await own.client('GET', '/api/2/system/password-policy')).body).toMatchObject({
        min_length: 14,
      })
      expect(
        await listProblems(() => apply(own.services, { ...document, owner: 'other', password_policy: {} })),
      ).toEqual(['password_policy was set by somebody. Set `adopt: true` to manage it from here'])
    })
  })

  it('keep the values of attributes unless the document says that they can go', async () => {
    await withOwnService(async (own) => {
      const attribute = (name: string) => ({ name, type: 'text' })
      const document = (names: readonly string[], more: object = {}) => ({
        ...{ schema_version: 1, owner: 'shop' },
        user_attributes: { attributes: names.map(attribute), ...more },
      })
      await apply(own.services, document(['department', 'city']))
      expect(await listProblems(() => apply(own.services, document(['city'])))).toEqual([
        'user_attributes.attributes lacks department, and the values of users would be deleted. Add it to delete_values if they can be',
      ])
      expect(await apply(own.services, document(['city'], { delete_values: ['department'] }))).toHaveLength(1)
    })
  })

  it('and all things go from one service into an empty one by an export', async () => {
    await withOwnService(async (first) => {
      const document = { ...createDocument(), ...allSettings }
      const [template = ''] = Object.keys(document.user_templates)
      const [group = ''] = Object.keys(document.groups)
      await apply(first.services, {
        ...document,
        sign_up_policy: { ...allSettings.sign_up_policy, user_template: template },
        sign_in_policy: { ...allSettings.sign_in_policy, second_factor_for_groups: [group] },
      })
      const exported = await exportDocument(first.services, createContext(first.services), document.owner)
      await withOwnService(async (second) => {
        await apply(second.services, exported)
        expect(await exportDocument(second.services, createContext(second.services), document.owner)).toEqual(
          exported,
        )
        expect(await apply(second.services, exported)).toEqual([])
      })
    })
  })
})

const allSettings = {
  user_attributes: {
    attributes: [{ name: 'department', type: 'text', values: ['Sales'], claim: 'department' }],
  },
  password_policy: {
    min_length: 14,
    no_pwned: true,
    rules: [{ group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }],
  },
  sign_in_policy: { second_factor_grace_days: 14, password_only_min_length: 16, allow_email_codes: true },
  sign_up_policy: { mode: 'domains', domains: ['example.com'], approvers: ['ada@example.com'] },
  agent_policy: { hosts: ['agent.example.com'] },
  organization_policy: { creation: 'everybody' },
  organization_roles: { roles: [{ key: 'lead', texts: { en: 'Lead' }, permissions: [] }] },
  branding: {
    product_name: 'Films',
    accent_color: '#1d4ed8',
    texts: [{ language: 'de', greeting: 'Willkommen' }],
  },
}

it('reads one query and each thing once, when nothing changes', async () => {
  const document = createDocument()
  await apply(services, document)
  const reads: string[] = []
  const { table } = services
  const counted = {
    ...services,
    table: {
      ...table,
      list: (...given: Parameters<typeof table.list>) => {
        reads.push('list')
        return table.list(...given)
      },
      get: (...given: Parameters<typeof table.get>) => {
        reads.push(`get ${given[0].sk}`)
        return table.get(...given)
      },
      getMany: (...given: Parameters<typeof table.getMany>) => {
        reads.push(`getMany ${given[0].length}`)
        return table.getMany(...given)
      },
    },
  }
  await planChanges(counted, createContext(services), readDocument(document), { prune: false })
  expect(reads.toSorted()).toEqual(['getMany 1', 'getMany 1', 'getMany 1', 'getMany 1', 'list'])
})

it('has a place in the document for every kind, and knows all of its fields', () => {
  expect(Object.keys(things)).toEqual(thingKinds)
  expect(Object.keys(settings).toSorted()).toEqual(settingsKinds.toSorted())
  for (const kind of thingKinds)
    expect(
      Object.keys(things[kind].defaults).filter((name) => !things[kind].fields.includes(name)),
      thingLists[kind],
    ).toEqual([])
})
