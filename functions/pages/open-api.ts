import type { pages } from '../../lib/contract/operations/pages.ts'
import { buildWeakTag } from '../../lib/http/answer-from-cache.ts'
import { getSessionCookieName } from '../../lib/http/sent-credentials.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Config } from '../../lib/settings/config.ts'

let creation: ReturnType<typeof createDocument> | undefined

/** Creates the document once per process. It changes only with a deployment, so clients may keep it for minutes. */
export const getOpenApi: UseCase<typeof pages.getOpenApi> = async (_, { config }) => {
  creation ??= createDocument(config)
  const { body, etag } = await creation
  return { status: 200, body, headers: { etag, 'cache-control': 'public, max-age=300' } }
}

/** Completes the document with what depends on the configuration. */
const createDocument = async (config: Config) => {
  // Loaded on demand, because no page needs it.
  const { openApi } = await import('./open-api.prebuilt.ts')
  const { info, components } = openApi
  const { securitySchemes } = components
  const cookie = { ...securitySchemes.cookie, name: getSessionCookieName(config) }
  const body = {
    ...openApi,
    info: { ...info, contact: describeContact(info.contact, config) },
    servers: openApi.servers.map((server) => ({ ...server, url: config.publicUrl })),
    components: { ...components, securitySchemes: { ...securitySchemes, cookie } },
  }
  return { body, etag: buildWeakTag(JSON.stringify(body)) }
}

/** The sender of emails is the only address of the operators that the service knows. `localhost` receives none. */
const describeContact = ({ name }: { readonly name: string }, { publicUrl, mailFrom }: Config) => {
  const email = /[^\s<]+@[^\s>]+\.[^\s>]+/.exec(mailFrom ?? '')?.[0]
  return { name, url: publicUrl, ...(email === undefined ? {} : { email }) }
}
