import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { operations } from '../../lib/features/operations.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { CallBody } from '../../lib/kernel/table/call-body.ts'
import { companyAccountKey, passkeyPrefix, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { operationKeyOf } from './operation-key.ts'

/*
 * Finds operations by which somebody decides how the account of somebody else signs in, by what they write: a password, an
 * address, an invitation, a passkey or an account at an identity provider. Each has to declare it.
 */

const declared: ReadonlySet<string> = new Set(
  operations
    .filter((operation) => 'decidesSignIn' in operation)
    .map(({ method, path }) => `${method} ${path}`),
)

/**
 * The operations that change the address of an account, or make it unconfirmed. `required-addresses.test.ts` tries each of them
 * against an account whose company requires its sign-in.
 */
export const addressOperations: readonly string[] = [
  ...['update_user', 'patch_user', 'merge_user', 'set_user_password', 'link_user_company_account'],
  ...['change_own_email', 'confirm_email', 'report_change'],
  ...['create_scim_resource', 'replace_scim_resource', 'change_scim_resource'],
]

const addressRoutes: ReadonlySet<string> = new Set(
  operations
    .filter(({ id }) => addressOperations.includes(id))
    .map(({ method, path }) => `${method} ${path}`),
)

/** Whether a call changes the address of an account, or makes it unconfirmed. The end of a mere claim changes nothing. */
const changesAddress = (input: CallBody): boolean => {
  const writes = listWrites(input)
  if (writes.some((write) => (write['Item'] as Item | undefined)?.['event'] === 'email.claim_ended'))
    return false
  return writes.some((write) => {
    const { pk = '', sk } = (write['Key'] ?? {}) as Partial<Record<'pk' | 'sk', string>>
    const fields = readFields(write)
    return (
      pk.startsWith(userPartition) &&
      sk === userKey(0).sk &&
      (Object.hasOwn(fields, 'normalizedEmail') || fields['emailVerified'] === false)
    )
  })
}

/** The user whose invitation the body has. Its holder is that user, also in a browser where somebody else is signed in. */
const findInvited = (body: string | undefined): number | undefined => {
  const [token] = /lki_[0-9A-Za-z]{45}/.exec(body ?? '') ?? []
  return token === undefined ? undefined : parseCredential(token)?.subject
}

/** The user whose credential the request has. Undefined without one, or if its kind says nothing about the user. */
const findCaller = ({ headers, cookies = [], body }: APIGatewayProxyEventV2): number | undefined => {
  const invited = findInvited(body)
  if (invited !== undefined) return invited
  const values = [
    headers['authorization']?.replace(/^Bearer /, ''),
    ...cookies.map((cookie) => cookie.replace(/^[^=]*=/, '')),
  ]
  const [id] = values.flatMap((value) => {
    const credential = value === undefined ? undefined : parseCredential(value)
    return credential?.kind === 'session' || credential?.kind === 'api_token' ? [credential.subject] : []
  })
  return id
}

type Item = Readonly<Record<string, unknown>>

/** The fields that a write sets, by name. */
const readFields = (write: CallBody): Item => {
  if (write['Item']) return write['Item'] as Item
  const names = (write['ExpressionAttributeNames'] ?? {}) as Readonly<Record<string, string>>
  const values = (write['ExpressionAttributeValues'] ?? {}) as Item
  const set = /(?:^|\s)SET (.*?)(?: REMOVE |$)/s.exec(String(write['UpdateExpression'] ?? ''))?.[1] ?? ''
  return Object.fromEntries(
    [...set.matchAll(/(#\w+) = (:\w+)/g)].map(([, name = '', value = '']) => [names[name], values[value]]),
  )
}

const listWrites = (input: CallBody): readonly CallBody[] =>
  Array.isArray(input['TransactItems'])
    ? input['TransactItems'].flatMap((step: Record<string, CallBody>) =>
        [step['Put'], step['Update']].filter((write) => write !== undefined),
      )
    : [input]

const [userPartition, accountPartition] = [
  userKey(0).pk.slice(0, -1),
  companyAccountKey(0, '').pk.slice(0, -2),
]

/** The user whose sign-in a write decides. Without a caller, only a company connection decides about others. */
const findDecided = (write: CallBody, caller: number | undefined): number | undefined => {
  const { pk, sk } = (write['Key'] ?? write['Item'] ?? {}) as { readonly pk?: string; readonly sk?: string }
  if (pk === undefined || sk === undefined) return undefined
  const fields = readFields(write)
  if (pk.startsWith(accountPartition)) return fields['userId'] as number | undefined
  if (!pk.startsWith(userPartition) || caller === undefined) return undefined
  const userId = Number(pk.slice(userPartition.length))
  if (sk.startsWith(passkeyPrefix)) return write['Item'] ? userId : undefined
  const { passwordHash, normalizedEmail, invitation, isGuest } = fields
  const decides = [passwordHash, normalizedEmail, invitation].some(
    (value) => value !== undefined && value !== null,
  )
  return sk === userKey(0).sk && decides && isGuest !== true ? userId : undefined
}

/** Collects the operations that decide without a declaration. */
export const watchSignInDecisions = () => {
  const undeclared = new Set<string>()
  const untried = new Set<string>()
  return {
    /** Returns what is to be called with each write of a request. */
    noteAs: (event: APIGatewayProxyEventV2): ((action: string, input: CallBody) => void) => {
      const operation = operationKeyOf(event)
      const caller = findCaller(event)
      return (action, input) => {
        if (!/^(?:TransactWriteItems|UpdateItem|PutItem)$/.test(action)) return
        if (!addressRoutes.has(operation) && changesAddress(input)) untried.add(operation)
        if (declared.has(operation)) return
        for (const write of listWrites(input)) {
          const decided = findDecided(write, caller)
          if (decided !== undefined && decided !== caller) undeclared.add(operation)
        }
      }
    },
    /** @throws Error that lists the operations. */
    verify: (): void => {
      if (untried.size > 0)
        throw new Error(
          `operations that change addresses, not in \`addressOperations\`:\n${[...untried].join('\n')}`,
        )
      if (undeclared.size > 0)
        throw new Error(
          `operations that decide how others sign in, without \`decidesSignIn\`:\n${[...undeclared].join('\n')}`,
        )
    },
  }
}
