import { AppError } from '../../kernel/errors/errors.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { ClientRecord } from './clients.records.ts'
import { toResource } from './resources.ts'

/** An error of an authorization as the protocol names it. */
export interface AuthorizationError {
  readonly error: string
  readonly description: string | undefined
}

/** Why an authorization was refused, for the people who run the service or build the app. */
export interface AuthorizationRefusal extends AuthorizationError {
  /** The client, as the request names it. */
  readonly client: string | undefined
  readonly parameter: string | undefined
  readonly sent: string | undefined
  /** The values that would have been accepted. */
  readonly registered: readonly string[] | undefined
}

/** A client that asks without showing a page expects these answers. They say nothing about its registration. */
const expectedErrors = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

/** The parameters that the errors are about. */
const parameterOf = new Map([
  ['invalid_client', 'client_id'],
  ['invalid_redirect_uri', 'redirect_uri'],
  ['invalid_scope', 'scope'],
  ['invalid_target', 'resource'],
  ['unsupported_response_type', 'response_type'],
  ['unsupported_response_mode', 'response_mode'],
])

type Parameters = Readonly<Record<string, string>>
type RegisteredClient = Pick<ClientRecord, 'redirect_uris' | 'scopes' | 'apis' | 'document'>

/** What a client may send, by the parameters whose values are no secret. */
const registeredValues = new Map<
  string,
  (client: RegisteredClient | undefined) => readonly string[] | undefined
>([
  ['client_id', () => undefined],
  ['redirect_uri', (client) => client?.redirect_uris],
  ['scope', (client) => client && [...client.scopes, ...client.apis.flatMap(({ scopes }) => scopes)]],
  ['resource', (client) => client?.apis.map(({ audience }) => toResource(audience))],
  ['response_type', () => ['code']],
  ['response_mode', () => ['query', 'form_post']],
  ['code_challenge_method', () => ['S256']],
  ['prompt', () => ['none', 'login', 'consent', 'select_account']],
])

/** Describes a refusal. Undefined for an answer that clients expect. */
export const describeRefusal = (
  { error, description }: AuthorizationError,
  parameters: Parameters,
  client: RegisteredClient | undefined,
): AuthorizationRefusal | undefined => {
  if (expectedErrors.has(error)) return undefined
  const parameter = parameterOf.get(error) ?? findParameter(description ?? '')
  const listRegistered = parameter === undefined ? undefined : registeredValues.get(parameter)
  const sent = parameter !== undefined && listRegistered ? parameters[parameter] : undefined
  const isCallbackOfDocument = error === 'invalid_redirect_uri' && client?.document !== undefined
  return {
    error,
    description: isCallbackOfDocument ? callbackRules : description,
    client: parameters['client_id'] && shorten(parameters['client_id']),
    parameter,
    sent: sent && shorten(sent),
    registered: listRegistered?.(client)?.map(shorten),
  }
}

/** For the developer of an agent, whose document lists more addresses than may be used. */
const callbackRules =
  'redirect_uri is not in the document that client_id names, or its host is not allowed. It is the host of the document, a loopback address, or a host that an administrator adds in the console: APIs, "Agents"'

const findParameter = (description: string): string | undefined =>
  /\bPushed\b/.test(description)
    ? 'request_uri'
    : /\bPKCE\b/.test(description)
      ? 'code_challenge'
      : /\b[a-z]+(?:_[a-z]+)+\b/.exec(description)?.[0]

const mostCharacters = 300

/** Addresses can have secrets in their user, query and fragment. */
const shorten = (value: string): string =>
  value
    .replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1…@')
    .replace(/[?#].*$/s, (rest) => `${rest[0]}…`)
    .slice(0, mostCharacters)

/** The refusal as one line, such as for the page of local mode. */
export const formatRefusal = (refusal: AuthorizationRefusal): string => {
  const { client, parameter, sent, registered } = refusal
  const facts = omitUndefined({
    client,
    parameter,
    sent: sent ?? (parameter && 'nothing'),
    registered: registered && (registered.join(' ') || 'nothing'),
  })
  const listed = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return [formatError(refusal), ...listed].join('\n')
}

/** The error as the protocol names it. */
export const formatError = ({ error, description }: AuthorizationError): string =>
  [error, description].filter((text) => text !== undefined).join(': ')

/** The error for an authorization that cannot be completed, or not again. */
export const createExpiredError = (): AppError =>
  new AppError('invalid_request', {
    reason: 'authorization_expired',
    detail: 'This sign-in was completed, has expired, or was started in another browser.',
    errors: [{ field: 'uid', message: 'names no sign-in that is waiting in this browser' }],
    tryAgain: null,
  })
