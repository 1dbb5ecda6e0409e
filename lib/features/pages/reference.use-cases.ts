import { buildWeakTag } from '../../http/answer-from-cache.ts'
import { getSessionCookieName } from '../../http/authenticate.ts'
import type { Page } from '../../http/page.ts'
import { createUnknownPathError } from '../../http/respond.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { omitUndefined, readOwn } from '../../kernel/util/object-fields.ts'
import type { pages } from './operations.ts'
import { fillShell } from './reference.page.ts'

const created = new Map<string, Page>()

/** Shows the guide of the API reference, unless the configuration turns it off. */
export const referencePage: UseCase<typeof pages.referencePage> = (_, { config }) => showPage('', config)

/** Shows a topic of the API reference. */
export const referenceTopicPage: UseCase<typeof pages.referenceTopicPage> = (
  { params: { topic } },
  { config },
) => showPage(topic, config)

/** Shows a guide. */
export const guidePage: UseCase<typeof pages.guidePage> = ({ params: { guide } }, { config }) =>
  showPage(`guides/${guide}`, config)

/** Returns what the search of the reference finds. */
export const getReferenceIndex: UseCase<typeof pages.getReferenceIndex> = async (_, { config }) => {
  const { reference } = await loadReference(config)
  const body = { entries: [...reference.index] }
  return { status: 200, body, headers: { etag: buildWeakTag(JSON.stringify(body)), ...checked } }
}

/** Browsers keep the answer and ask whether it has changed. */
const checked = { 'cache-control': 'no-cache' }

/** Loaded on demand, because it is large and no other page needs it. */
const loadReference = async (config: Config) => {
  if (config.apiReference === 'off') throw createUnknownPathError(config)
  return import('./reference.prebuilt.ts')
}

const showPage = async (name: string, config: Config) => {
  const page = created.get(name) ?? (await createPage(name, config))
  created.set(name, page)
  return { status: 200 as const, body: page.html, headers: page.headers }
}

/** The guides are loaded on demand, because together they are larger than the reference. */
const findGuide = async (name: string) => {
  const { guides } = await import('./guides.prebuilt.ts')
  return readOwn(guides, name.slice('guides/'.length))
}

/** Completes a page with what is around it, and with what depends on the configuration. */
const createPage = async (name: string, config: Config): Promise<Page> => {
  const { reference, builtServer } = await loadReference(config)
  const { shell, navigation, pages } = reference
  const found = name.startsWith('guides/') ? await findGuide(name) : readOwn(pages, name)
  if (!found) throw createUnknownPathError(config)
  const html = fillShell({ shell, navigation, page: found, group: found.group ?? name })
    .replaceAll(builtServer, config.publicUrl)
    .replace('<body>', config.apiReference === 'try' ? '<body data-calls="on">' : '<body>')
  return { html, headers: { ...shell.headers, etag: buildWeakTag(html), ...checked } }
}

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
  return { name, url: publicUrl, ...omitUndefined({ email }) }
}
