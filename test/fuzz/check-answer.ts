import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import type { JsonValue } from '../support/client.ts'
import { validateAt } from '../support/open-api-schemas.ts'
import type { FuzzRequest } from './build-request.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** The statuses with which the gateway answers before a function runs: see the description of the document. */
const gatewayStatuses = [400, 413, 414, 429, 431]

/** Returns what is wrong with an answer: a failure of the service, or something that the OpenAPI document does not describe. */
export const checkAnswer = (
  { operation, method, target }: FuzzRequest,
  { status, contentType, text }: FuzzAnswer,
): string | undefined => {
  if (status >= 500 && !(status === 502 && operation.errors?.includes('upstream_failed')))
    return `status ${status}`
  const [mediaType = ''] = contentType.split(';')
  if (gatewayStatuses.includes(status) && mediaType === 'application/json' && isGatewayBody(text))
    return undefined
  // An encoded slash or question mark ends a part of the path, so it is that of no operation. The gateway decodes it.
  if (status === 404 && /%(?:2f|3f)/i.test(target.split('?', 1)[0] ?? '')) return undefined
  const document: JsonValue = openApi
  const place = `#/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`
  const described = document.paths[operation.path][operation.method.toLowerCase()].responses[status]
  if (!described) return `status ${status} is not described`
  const pointer = described.$ref ?? place
  const { content } = described.$ref
    ? document.components.responses[described.$ref.split('/').at(-1)]
    : described
  if (method === 'HEAD' || !content) return text === '' ? undefined : 'a body is not described'
  if (!content[mediaType]) return `the type ${mediaType} is not described`
  if (!/\bjson\b/.test(mediaType)) return undefined
  const schema = `${pointer}/content/${escapePointer(mediaType)}/schema`
  const problems = validateAt(schema, JSON.parse(text))
  return problems.length > 0 ? problems.join(', ').slice(0, 500) : undefined
}

/** The answer to HEAD has no body. */
const isGatewayBody = (text: string): boolean =>
  text === '' || Object.keys(JSON.parse(text)).join() === 'message'

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
