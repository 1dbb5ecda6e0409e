import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { createSource, readDocument, requireList, requireWhole } from './document.ts'
import { readIdentities } from './social-identities.ts'
import {
  type Converted,
  isRecord,
  joinNames,
  maybeFlag,
  maybeText,
  maybeTime,
  readEmail,
  readRecord,
  readTime,
  type Source,
} from './source.ts'

/* The JSON of `firebase auth:export`. The parameters of the hashes belong to the project, and are shown in its console. */

const User = z.object({
  localId: z.string(),
  email: maybeText,
  emailVerified: maybeFlag,
  displayName: maybeText,
  phoneNumber: maybeText,
  disabled: maybeFlag,
  createdAt: maybeTime,
  passwordHash: maybeText,
  salt: maybeText,
  customAttributes: maybeText,
  providerUserInfo: z.optional(z.array(z.object({ providerId: z.string(), rawId: maybeText }))),
})

const notUsers = 'This is not the JSON of firebase auth:export: an object with users.'

/** @throws CommandFailure if a file is not as Firebase writes it, or if there are hashes without their parameters. */
export const openFirebase = async (file: string, configFile: string | undefined): Promise<Source> => {
  const document = await readDocument(file)
  const users = requireList(isRecord(document) ? document['users'] : undefined, notUsers)
  requireWhole(document, 'Export them with firebase auth:export, which writes all.')
  const hasHashes = users.some((user) => isRecord(user) && user['passwordHash'])
  if (hasHashes && configFile === undefined)
    throw new CommandFailure(
      'The file has password hashes. Pass --hash-config FILE with the password hash parameters of the project.',
    )
  const scheme = configFile === undefined ? '' : await readScheme(configFile)
  return createSource(users, (line, record) => readRecord(line, record, User, convertUser(scheme)))
}

const convertUser =
  (scheme: string) =>
  (user: z.output<typeof User>): Converted => {
    const { localId, email, phoneNumber, passwordHash, salt, providerUserInfo = [] } = user
    const accounts = providerUserInfo.filter(({ providerId }) => providerId !== 'password')
    if (!email && !phoneNumber && accounts.length === 0) return { skipped: 'anonymous users' }
    const [phones, others] = [accounts.filter(isPhone), accounts.filter((account) => !isPhone(account))]
    const identities = readIdentities(
      others.map(({ providerId: provider, rawId: subject }) => ({ provider, subject })),
    )
    return {
      id: localId,
      fields: {
        username: email || phoneNumber || localId,
        ...readEmail(email, { isVerified: user.emailVerified === true }),
        full_name: joinNames(user.displayName),
        is_enabled: user.disabled !== true,
        created_at: readTime(user.createdAt),
        password_hash: passwordHash
          ? `${scheme}$${toBase64Url(salt ?? '')}$${toBase64Url(passwordHash)}`
          : undefined,
        ...identities.fields,
      },
      attributes: readClaims(user.customAttributes),
      left: [...identities.left, ...phones.map(() => 'sign-in by phone')],
    }
  }

const isPhone = ({ providerId }: { readonly providerId: string }): boolean => providerId === 'phone'

/** The custom claims of a user are JSON in a text. */
const readClaims = (text: string | null | undefined): Readonly<Record<string, unknown>> => {
  try {
    const claims: unknown = JSON.parse(text || '{}')
    return isRecord(claims) ? claims : {}
  } catch {
    return { customAttributes: text }
  }
}

const toBase64Url = (text: string): string =>
  text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** Reads the parameters as the console shows them: `rounds: 8,`. Returns the first part of each hash. */
const readScheme = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  })
  const find = (name: string) =>
    new RegExp(`\\b${name}"?\\s*[:=]\\s*"?([\\w+/=-]+)`).exec(text.slice(0, 10_000))?.[1]
  const [key, separator, rounds, cost] = [
    'base64_signer_key',
    'base64_salt_separator',
    'rounds',
    'mem_cost',
  ].map(find)
  if (!key || !separator || !/^\d{1,2}$/.test(rounds ?? '') || !/^\d{1,2}$/.test(cost ?? ''))
    throw new CommandFailure(
      `${basename(path)} must have base64_signer_key, base64_salt_separator, rounds and mem_cost.`,
    )
  return `scrypt-firebase$n=${cost},r=${rounds},p=1,sep=${toBase64Url(separator)},key=${toBase64Url(key)},l=64`
}
