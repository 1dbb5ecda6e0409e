import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { providerPaths } from '../../lib/features/oauth/provider/provider-paths.ts'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import type { Environment } from '../program.ts'

const StoredTokens = z.object({
  /** The origin of the service. */
  url: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  /** Epoch milliseconds. */
  accessTokenExpiresAt: z.number(),
  refreshToken: z.string(),
})
export type StoredTokens = z.output<typeof StoredTokens>

/** The file with the tokens of the user. A relative folder is ignored, as the XDG specification says. */
export const getTokenFile = ({ XDG_CONFIG_HOME: folder = '' }: Environment): string =>
  join(isAbsolute(folder) ? folder : join(homedir(), '.config'), 'latchkey', 'tokens.json')

/** Undefined if there is none. @throws CommandFailure if the file cannot be read */
export const readTokens = async (file: string): Promise<StoredTokens | undefined> => {
  try {
    return StoredTokens.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CommandFailure(`${file} cannot be read. Delete it, then run latchkey login again.`)
  }
}

/** Stores the tokens in place of those before. Only the user can read the file. @throws CommandFailure */
export const writeTokens = async (file: string, tokens: StoredTokens): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(draft, `${JSON.stringify(tokens)}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, file)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written (${codeOf(error)}).`)
  } finally {
    await rm(draft, { force: true })
  }
}

export const deleteTokens = (file: string): Promise<void> => rm(file, { force: true })

const callMs = 10_000

/** Reads an answer, or undefined if the service did not answer. Tokens never follow a redirect. */
const call = async (url: string, init: RequestInit, signal?: AbortSignal): Promise<Response | undefined> => {
  const late = AbortSignal.timeout(callMs)
  const signals = signal ? [signal, late] : [late]
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

const post = (
  url: string,
  path: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Response | undefined> =>
  call(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form) }, signal)

const OAuthProblem = z.object({ error: z.string() })

/** The error of an answer as OAuth names it. Empty for any other answer. */
const readError = async (response: Response): Promise<string> =>
  OAuthProblem.safeParse(await response.json().catch(() => undefined)).data?.error ?? ''

const unreachable = (url: string): CommandFailure =>
  new CommandFailure(`${url} cannot be reached. Try again.`)

// Terminals obey some characters, so only these are printed.
const DeviceCodes = z.object({
  device_code: z.string(),
  user_code: z.string().check(z.regex(/^[\w-]{1,32}$/)),
  verification_uri: z.string().check(z.regex(/^[\x21-\x7e]{1,500}$/)),
  expires_in: z.number(),
  interval: z._default(z.number(), 5),
})
export type DeviceCodes = z.output<typeof DeviceCodes>

/** What the tokens are for: the identity of the user, for as long as the session lasts. */
const scope = 'openid profile offline_access'

const startProblems = new Map([
  ['invalid_client', 'The service does not know this client. Check --client-id.'],
  ['unauthorized_client', 'The client may not sign users in on devices. Ask an administrator to allow it.'],
  ['invalid_scope', 'The client needs the scopes openid, profile and offline_access.'],
])

/** Gets the codes for a sign-in. @throws CommandFailure */
export const requestCodes = async (
  { url, clientId }: Pick<StoredTokens, 'url' | 'clientId'>,
  signal: AbortSignal,
): Promise<DeviceCodes> => {
  const form = { client_id: clientId, scope }
  const response = await post(url, providerPaths.deviceAuthorization, form, signal)
  if (!response) throw unreachable(url)
  if (response.status !== 200)
    throw new CommandFailure(
      startProblems.get(await readError(response)) ??
        `The service answered with status ${response.status}. Check --url.`,
    )
  const codes = DeviceCodes.safeParse(await response.json().catch(() => undefined))
  if (!codes.success) throw new CommandFailure(`${url} is no service of Latchkey. Check --url.`)
  return codes.data
}

const Tokens = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
})

/** Asks for tokens. Returns the error of OAuth, which is empty if there was no answer that can be used. */
export const requestTokens = async (
  { url, clientId }: Pick<StoredTokens, 'url' | 'clientId'>,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<StoredTokens | { readonly error: string }> => {
  const response = await post(url, providerPaths.token, { ...form, client_id: clientId }, signal)
  if (!response) return { error: '' }
  if (response.status !== 200) return { error: await readError(response) }
  const tokens = Tokens.safeParse(await response.json().catch(() => undefined))
  if (!tokens.success) return { error: 'invalid_response' }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens.data
  return { url, clientId, accessToken, refreshToken, accessTokenExpiresAt: Date.now() + seconds * 1000 }
}

const Userinfo = z.object({
  sub: z.string(),
  preferred_username: z.optional(z.string()),
  name: z.optional(z.string()),
})
export type Userinfo = z.output<typeof Userinfo>

/** Asks who the user of a token is. Undefined if the token does not work any more. @throws CommandFailure */
export const requestUserinfo = async ({ url, accessToken }: StoredTokens): Promise<Userinfo | undefined> => {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await call(`${url}${providerPaths.userinfo}`, { headers })
  if (!response) throw unreachable(url)
  if (response.status === 401) return undefined
  const user = Userinfo.safeParse(await response.json().catch(() => undefined))
  if (response.status !== 200 || !user.success)
    throw new CommandFailure(`The service answered with status ${response.status}. Try again.`)
  return user.data
}

/** Ends the tokens. Returns whether the service confirmed it. */
export const revokeTokens = async ({ url, clientId, refreshToken }: StoredTokens): Promise<boolean> => {
  const response = await post(url, providerPaths.revocation, { client_id: clientId, token: refreshToken })
  return response?.status === 200
}
