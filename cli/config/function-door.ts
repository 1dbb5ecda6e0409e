import type { ReadSecret } from '../../lib/features/configuration/apply.part.ts'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { thingLists } from '../../lib/features/configuration/document.models.ts'
import {
  type DoorPath,
  type DoorRequest,
  doorBodyLimitBytes,
  invokedAlias,
  isProductName,
} from '../../lib/features/configuration/door.models.ts'
import type { DoorReplies, ShownApplied } from '../../lib/features/configuration/door.part.ts'
import type { Transferable } from '../../lib/features/configuration/transfer.part.ts'
import { thingKinds } from '../../lib/kernel/contract/managed-kinds.ts'
import { type FieldError, invalidRequest } from '../../lib/kernel/errors/errors.ts'
import { createSignCall, findAccount } from '../../lib/kernel/table/account.ts'
import { toFetchHeaders } from '../../lib/kernel/table/fetch-headers.ts'
import { signInvocation } from '../../lib/kernel/table/invoke-function.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { readVariable } from '../../local/config/apply-config.ts'
import type { Door } from './door.ts'

const urlForm = /^[a-z0-9]+\.lambda-url\.([a-z0-9-]+)\.on\.aws$/

/** An alias that regions without function URLs have in their place: of the service, or of a product. Those of URLs are not invoked. */
const aliasForm = /^arn:([a-z-]+):lambda:([a-z0-9-]+):\d{12}:function:[\w-]+:([\w-]+)$/

/**
 * Opens the function `config` of a deployed service. Requests are signed with the AWS credentials of the environment.
 *
 * @throws CommandFailure if the address is neither the URL of a function nor its alias
 */
export const openFunctionDoor = (address: string): Door => {
  const sendTo = chooseSender(address)
  const send = async <Path extends DoorPath>(
    path: Path,
    request: DoorRequest<Path>,
  ): Promise<DoorReplies[Path]> => (await sendTo(path, request)) as DoorReplies[Path]
  return {
    // The passwords of a seed stay on this machine, and so do the modules of hooks.
    plan: async ({ seed: _, hooks: _hooks, ...document }, { prune, readSecret = readVariable }) => {
      const request = { document, prune, secrets: collectSecrets(document, readSecret) }
      const { changes, plan } = await send('/plan', request)
      return {
        changes,
        apply: async function* (held): AsyncGenerator<ShownApplied> {
          // The function does as much as its time allows.
          for (let rest: string | null = plan; rest !== null; ) {
            const reply: DoorReplies['/apply'] = await send('/apply', { ...request, held, plan: rest })
            yield* reply.applied
            if (reply.errors.length > 0) throw invalidRequest(reply.errors)
            rest = reply.rest
          }
        },
        // A plan without changes has nothing to apply, and applies in no time.
        finish: async (held) => {
          const applied = { document, secrets: request.secrets }
          const { plan: none } = await send('/plan', applied)
          return send('/apply', { ...applied, held: held.held, renew: [...held.renew], plan: none })
        },
      }
    },
    exportDocument: async (owner) => (await send('/export', { owner })).document,
    openTransfer: (owners) => ({
      plan: () => send('/transfer', { ...owners, is_dry_run: true }),
      apply: async function* (): AsyncGenerator<Transferable> {
        // The function does as much as its time allows.
        for (let hasMore = true; hasMore; ) {
          const reply: DoorReplies['/transfer'] = await send('/transfer', { ...owners, is_dry_run: false })
          yield* reply.things
          hasMore = reply.hasMore
        }
      },
    }),
    close: async () => {},
  }
}

type Sender = (path: DoorPath, request: object) => Promise<unknown>

const chooseSender = (address: string): Sender => {
  const [, partition, region, alias = ''] = aliasForm.exec(address) ?? []
  const isInvoked = alias === invokedAlias || isProductName(alias)
  if (isInvoked && partition !== undefined && region !== undefined)
    return (path, request) => invoke({ arn: address, partition, region }, { path, body: request })
  const url = readUrl(address)
  return (path, request) => sendSigned(new URL(path, url), request)
}

/** Secrets travel in the body, so only TLS will do. A stand-in on this machine needs none. */
const readUrl = (address: string): URL => {
  const url = URL.parse(address)
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1'
  if (!url || !(isLoopback || (url.protocol === 'https:' && urlForm.test(url.host))))
    throw new CommandFailure('--function must be the output ConfigUrl or ConfigAliasArn of the stack.')
  return url
}

/** The secrets that the document refers to, and no other variable of the environment. */
const collectSecrets = (document: ConfigurationDocument, readSecret: ReadSecret): Record<string, string> => {
  const references = thingKinds
    .flatMap((kind): object[] => Object.values(document[thingLists[kind]] ?? {}))
    .flatMap((entry) => ('client_secret' in entry ? [entry.client_secret as { readonly env: string }] : []))
  return Object.fromEntries(
    references.flatMap(({ env }) => {
      const value = readSecret(env)
      return value === undefined ? [] : [[env, value]]
    }),
  )
}

/** Longer than the function may run. */
const timeoutMs = 250_000

/** @throws CommandFailure, or AppError `invalid_request` with the errors of the document */
const sendSigned = async (url: URL, request: object): Promise<unknown> => {
  const [, region] = urlForm.exec(url.host) ?? []
  if (region) process.env['AWS_REGION'] ??= region
  const account = await findAccount()
  const sign = createSignCall({ ...account, region: region ?? account.region, url }, 'lambda')
  const body = encodeBody(request)
  const signed = await sign({ 'content-type': 'application/json' }, body)
  return readAnswer(await post(url, toFetchHeaders(signed), body), onUrl)
}

/** Invokes the alias of the function, which answers as its URL would. */
const invoke = async (
  target: Parameters<typeof signInvocation>[0],
  request: { readonly path: DoorPath; readonly body: object },
): Promise<unknown> => {
  process.env['AWS_REGION'] ??= target.region
  const body = encodeBody(request)
  const { url, headers } = await signInvocation(target, body)
  const response = await post(url, headers, body)
  if (!response.ok) return readAnswer(response, onAlias)
  // Lambda answers with status 200 for a function that failed, too, and then with its error.
  const answer = parse(await response.text()) as Partial<HttpAnswer> | undefined
  const { statusCode = 502, body: text = '' } = answer ?? {}
  return readAnswer(new Response(text, { status: statusCode }), onAlias)
}

interface HttpAnswer {
  readonly statusCode: number
  readonly body: string
}

const onUrl = 'lambda:InvokeFunctionUrl and lambda:InvokeFunction on the function'
const onAlias = 'lambda:InvokeFunction on the alias of the function'

/** @throws CommandFailure if it is too large */
const encodeBody = (request: object): string => {
  const body = JSON.stringify(request)
  if (Buffer.byteLength(body) > doorBodyLimitBytes)
    throw new CommandFailure(
      `The document has more than ${doorBodyLimitBytes / 1024 / 1024} MB with its images. Use smaller images, or a file for each product.`,
    )
  return body
}

const post = (url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CommandFailure(
      `The function did not answer (${getErrorMessage(error)}). Run the same command again to go on.`,
    )
  })

const readAnswer = async (response: Response, permissions: string): Promise<unknown> => {
  const text = await response.text()
  const parsed = parse(text)
  if (response.ok && parsed !== undefined) return parsed
  const {
    detail,
    errors,
    request_id: id,
  } = (parsed ?? {}) as {
    readonly detail?: string
    readonly errors?: readonly FieldError[]
    readonly request_id?: string
  }
  if (errors && errors.length > 0) throw invalidRequest(errors)
  if (detail !== undefined) throw new CommandFailure(`${detail} (Request ${id}.)`)
  throw new CommandFailure(
    response.status === 403
      ? `AWS refused the request (403). The credentials need ${permissions}.`
      : `The function failed (${response.status}). Its log has the reason.`,
  )
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
