import {
  type AddedClaim,
  type ClaimOutput,
  claimedOrganizationFields,
} from '../../accounts/users/attributes.models.ts'
import {
  buildUserAttributesStep,
  findStoredAttributes,
  type StoredAttributes,
  type StoredClaim,
  type UserAttribute,
} from '../../accounts/users/attributes.records.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import { addedClaimsBytes, addedClaimsMax } from '../../kernel/limits/limits.ts'
import { readByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { findNameProblem } from './claim-name-problems.ts'
import { findStandardClaim, toClaimValue } from './claim-names.ts'
import {
  buildClaimsStep,
  type ClientClaim,
  type ClientRecord,
  clientKind,
  findClientIds,
} from './clients.records.ts'
import { findApiRights } from './protected-apis.records.ts'

/*
 * A change of the attributes or claims of a service. Both are one item, and each named client has a copy of its claims, which the same
 * transaction replaces. So an attribute never becomes writable while an access token states it, whoever is first.
 */

interface ClaimChange {
  /** The claims of the request. Undefined if it leaves them as they are. */
  readonly given: readonly AddedClaim[] | undefined
  readonly stored: StoredAttributes | undefined
  /** The attributes after the change. */
  readonly attributes: readonly UserAttribute[]
}

interface ClaimPlan {
  readonly claims: readonly StoredClaim[]
  readonly errors: readonly FieldError[]
  /** They replace the claims of clients. */
  readonly steps: readonly Step[]
}

/** Finds out what a change means for claims. Takes no table call if the service has no claims and gets none. */
export const planAddedClaims = async (table: Table, change: ClaimChange): Promise<ClaimPlan> => {
  const { given, stored, attributes } = change
  const before = stored?.claims ?? []
  const named = given && (await findReaders(table, given))
  const claims = given && named ? given.map((claim) => toStored(claim, named)) : before
  const errors =
    given && named
      ? [...validateClaims(given, attributes), ...listUnknown(given, named)]
      : before.flatMap((claim) => listBroken(claim, attributes))
  if (errors.length > 0) return { claims: before, errors, steps: [] }
  const copies = copyClaims(claims, attributes)
  const former = copyClaims(before, stored?.attributes ?? [])
  // A request with claims also repairs copies that clients lost, such as by a restored backup.
  const ids = [...new Set([...former.keys(), ...copies.keys()])].filter(
    (id) => given !== undefined || !isSameList(former.get(id), copies.get(id)),
  )
  const clients = ids.length === 0 ? [] : await readByIds(table, clientKind, ids)
  const steps = clients.flatMap((client) => {
    const copy = client && (copies.get(client.id) ?? [])
    return !copy || isSameList(client.addedClaims, copy) ? [] : [buildClaimsStep(client, copy)]
  })
  return { claims, errors: [], steps }
}

/** What a client gets of the claims that named it before it was deleted, if a document creates it again. */
export const restoreClaims = async (
  table: Table,
  clientId: string,
  id: number,
): Promise<{ readonly addedClaims?: readonly ClientClaim[]; readonly steps: readonly Step[] }> => {
  const stored = await findStoredAttributes(table)
  const names = (claim: StoredClaim) => claim.clients.some((client) => client.clientId === clientId)
  if (!stored?.claims?.some(names)) return { steps: [] }
  const claims = stored.claims.map((claim) => ({
    ...claim,
    clients: claim.clients.map((client) => (client.clientId === clientId ? { ...client, id } : client)),
  }))
  const { attributes, keysUsed } = stored
  return {
    addedClaims: copyClaims(claims, attributes).get(id) ?? [],
    steps: [buildUserAttributesStep(stored, { attributes, keysUsed, claims })],
  }
}

const isSameList = (
  before: readonly ClientClaim[] | undefined,
  after: readonly ClientClaim[] | undefined,
): boolean => toText(before) === toText(after)

/** The table returns the fields of an object in an order of its own. */
const toText = (claims: readonly ClientClaim[] = []): string =>
  JSON.stringify(
    claims.map(({ name, place, source, value, outputs, apis }) => [
      name,
      place,
      source,
      value,
      outputs,
      apis,
    ]),
  )

/** The claims of each client by its ID. What nobody but the service decides comes first, so that nothing of users displaces it. */
const copyClaims = (
  claims: readonly StoredClaim[],
  attributes: readonly UserAttribute[],
): ReadonlyMap<number, readonly ClientClaim[]> => {
  const byName = new Map(attributes.map((attribute) => [attribute.name, attribute]))
  const rank = ({ source, value }: StoredClaim): number => {
    if (source === 'text') return 0
    if (source === 'organization') return 2
    return byName.get(value)?.user_access === 'write' ? 3 : 1
  }
  const copies = new Map<number, ClientClaim[]>()
  for (const claim of claims.toSorted((a, b) => rank(a) - rank(b))) {
    const { name, place, source, outputs } = claim
    const value = source === 'attribute' ? byName.get(claim.value)?.key : claim.value
    if (value === undefined) continue
    const copy = { name, place, source, value, outputs, apis: claim.apis.map(({ id }) => id) }
    for (const { id } of claim.clients) copies.set(id, [...(copies.get(id) ?? []), copy])
  }
  return copies
}

/** The clients and APIs that claims name. */
interface Readers {
  readonly clients: ReadonlyMap<string, Pick<ClientRecord, 'id' | 'document'>>
  readonly apis: ReadonlyMap<string, number>
}

const listNamed = (claims: readonly AddedClaim[]) => ({
  clientIds: [...new Set(claims.flatMap(({ clients }) => clients))],
  audiences: [...new Set(claims.flatMap(({ apis = [] }) => apis))],
})

/** Takes up to three table calls, and none for claims that name too many or nobody. */
const findReaders = async (table: Table, claims: readonly AddedClaim[]): Promise<Readers> => {
  const { clientIds, audiences } = listNamed(claims)
  if (Math.max(clientIds.length, audiences.length) > addedClaimsMax)
    return { clients: new Map(), apis: new Map() }
  const [ids, rights] = await Promise.all([findClientIds(table, clientIds), findApiRights(table, audiences)])
  const clients = ids.length === 0 ? [] : await readByIds(table, clientKind, [...new Set(ids)])
  return {
    clients: new Map(clients.flatMap((client) => (client ? [[client.clientId, client] as const] : []))),
    apis: new Map(audiences.flatMap((name, at) => (rights[at] ? [[name, rights[at].id] as const] : []))),
  }
}

const listUnknown = (claims: readonly AddedClaim[], named: Readers): readonly FieldError[] => {
  const { clientIds, audiences } = listNamed(claims)
  if (Math.max(clientIds.length, audiences.length) > addedClaimsMax)
    return [{ field: 'claims', message: `must name at most ${addedClaimsMax} clients and APIs together` }]
  return claims.flatMap(({ clients, apis = [] }, at) => [
    ...clients.flatMap((name, index): FieldError[] => {
      const field = `claims.${at}.clients.${index}`
      const client = named.clients.get(name)
      if (!client) return [{ field, message: 'must be the client_id of a client' }]
      return client.document ? [{ field, message: 'must not describe itself by a document' }] : []
    }),
    ...apis.flatMap((name, index) =>
      named.apis.has(name)
        ? []
        : [{ field: `claims.${at}.apis.${index}`, message: 'must be the audience of an API' }],
    ),
  ])
}

const toStored = (
  { name, place = 'attributes', source, value, outputs, clients, apis = [] }: AddedClaim,
  named: Readers,
): StoredClaim => ({
  ...{ name, place, source, value, outputs },
  clients: clients.flatMap((clientId) => {
    const id = named.clients.get(clientId)?.id
    return id === undefined ? [] : [{ id, clientId }]
  }),
  apis: apis.flatMap((audience) => {
    const id = named.apis.get(audience)
    return id === undefined ? [] : [{ id, audience }]
  }),
})

/** A claim as administrators set it. */
export const toClaimBody = ({
  name,
  place,
  source,
  value,
  outputs,
  clients,
  apis,
}: StoredClaim): Required<AddedClaim> => ({
  ...{ name, place, source, value },
  outputs: [...outputs],
  clients: clients.map(({ clientId }) => clientId),
  apis: apis.map(({ audience }) => audience),
})

/** Whether an API reads the claim, which trusts what its access tokens say. */
const isForApis = ({ outputs }: { readonly outputs: readonly ClaimOutput[] }): boolean =>
  outputs.includes('access_token') || outputs.includes('introspection')

type Rule = readonly [isBroken: boolean, field: string, message: string]

const validateClaims = (
  claims: readonly AddedClaim[],
  attributes: readonly UserAttribute[],
): readonly FieldError[] => [
  ...claims.flatMap((claim, at) => {
    const rules: readonly Rule[] = [
      ...listRules(claim),
      ...listSourceRules(claim, attributes),
      [claims.slice(0, at).some((other) => areOne(other, claim)), 'name', repeated],
      [findSharedClaim(claim, attributes) !== undefined, 'name', 'must not be the claim of an attribute'],
    ]
    return rules.flatMap(([isBroken, field, message]) =>
      isBroken ? [{ field: `claims.${at}.${field}`, message }] : [],
    )
  }),
  ...listLongTexts(claims),
]

const repeated = 'must not be the name of another claim that one of its clients reads in the same place'

const listRules = (claim: AddedClaim): readonly Rule[] => {
  const { name, place = 'attributes', outputs, clients, apis = [] } = claim
  const problem = findNameProblem(name, place)
  const isRepeated = (list: readonly string[]) => new Set(list).size < list.length
  return [
    [problem !== undefined, 'name', problem ?? ''],
    [isRepeated(outputs), 'outputs', 'must not be repeated'],
    [isRepeated(clients), 'clients', 'must not be repeated'],
    [isRepeated(apis), 'apis', 'must not be repeated'],
    [isForApis(claim) && apis.length === 0, 'apis', 'must name an API for access_token and introspection'],
    [!isForApis(claim) && apis.length > 0, 'apis', 'must be empty without access_token and introspection'],
  ]
}

/** Where each value comes from, and whether it can be one of the claim. */
const listSourceRules = (claim: AddedClaim, attributes: readonly UserAttribute[]): readonly Rule[] => {
  const { name, place = 'attributes', source, value } = claim
  const standard = findStandardClaim({ name, place })
  if (source === 'text') {
    const isValue = toClaimValue({ name, place }, value) !== undefined
    return [[!isValue, 'value', `must be a value of ${name}, as OpenID Connect describes it`]]
  }
  if (source === 'organization') {
    const isText = standard?.type === 'text' && value !== 'member_limit'
    return [
      [
        !claimedOrganizationFields.some((field) => field === value),
        'value',
        `must be a field of organizations: ${claimedOrganizationFields.join(', ')}`,
      ],
      [standard !== undefined && !isText, 'value', `must have the type of ${name}`],
    ]
  }
  const attribute = attributes.find((one) => one.name === value)
  return [
    [!attribute, 'value', 'must be the name of an attribute'],
    [
      attribute !== undefined && standard !== undefined && attribute.type !== standard.type,
      'value',
      `must be an attribute of the type ${standard?.type}, as ${name} is one`,
    ],
    [
      attribute?.user_access === 'write' && isForApis(claim),
      'outputs',
      `must not have access_token or introspection: users can write ${value}, and APIs would trust it`,
    ],
  ]
}

/** The attribute that clients with the scope `attributes` get under the same name and in the same place. */
const findSharedClaim = (
  { name, place, outputs }: Pick<AddedClaim, 'name' | 'place'> & Pick<StoredClaim, 'outputs'>,
  attributes: readonly UserAttribute[],
): UserAttribute | undefined =>
  place === 'top' || !(outputs.includes('id_token') || outputs.includes('userinfo'))
    ? undefined
    : attributes.find(({ claim }) => claim?.toLowerCase() === name.toLowerCase())

/** Whether somebody would find two claims of one name in one place. */
const areOne = (a: AddedClaim, b: AddedClaim): boolean => {
  const [{ place: first = 'attributes' }, { place: second = 'attributes' }] = [a, b]
  const share = (left: readonly string[] = [], right: readonly string[] = []) =>
    left.some((one) => right.includes(one))
  return (
    first === second &&
    a.name.toLowerCase() === b.name.toLowerCase() &&
    share(a.clients, b.clients) &&
    share(a.outputs, b.outputs)
  )
}

/** Texts that never fit are refused at once. Other values differ from user to user. */
const listLongTexts = (claims: readonly AddedClaim[]): readonly FieldError[] => {
  const texts = claims.filter(({ source }) => source === 'text')
  const { clientIds } = listNamed(texts)
  const isLong = clientIds.some((clientId) => {
    const own = texts.filter(({ clients }) => clients.includes(clientId))
    const bytes = own.map(({ name, value }) => Buffer.byteLength(JSON.stringify({ [name]: value })))
    return bytes.reduce((sum, one) => sum + one, 0) > addedClaimsBytes
  })
  return isLong
    ? [{ field: 'claims', message: `must have texts of at most ${addedClaimsBytes} bytes for each client` }]
    : []
}

/** Why attributes cannot change as a request says, because of a claim that it leaves as it is. */
const listBroken = (claim: StoredClaim, attributes: readonly UserAttribute[]): readonly FieldError[] => {
  const { name, source, value } = claim
  const shared = findSharedClaim(claim, attributes)
  const collision = shared && {
    field: `attributes.${attributes.indexOf(shared)}.claim`,
    message: `must not be the name of the added claim ${name}`,
  }
  if (source !== 'attribute') return collision ? [collision] : []
  const at = attributes.findIndex((one) => one.name === value)
  const lost = {
    field: 'attributes',
    message: `must have ${value}: the claim ${name} states it. Remove it first`,
  }
  const written = {
    field: `attributes.${at}.user_access`,
    message: `must not be write: the claim ${name} states it in access tokens or introspection, and APIs would trust it`,
  }
  return [
    ...(at === -1 ? [lost] : []),
    ...(attributes[at]?.user_access === 'write' && isForApis(claim) ? [written] : []),
    ...(collision ? [collision] : []),
  ]
}
