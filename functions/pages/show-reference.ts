import type { pages } from '../../lib/contract/operations/pages.ts'
import { notFound } from '../../lib/errors/errors.ts'
import { buildWeakTag } from '../../lib/http/answer-from-cache.ts'
import type { Page } from '../../lib/http/page.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Config } from '../../lib/settings/config.ts'

let creation: Promise<Page> | undefined

/** Shows the API reference, unless the configuration turns it off. Browsers keep it and ask whether it has changed. */
export const showReference: UseCase<typeof pages.referencePage> = async (_, { config }) => {
  if (config.apiReference === 'off') throw notFound()
  creation ??= createReference(config)
  const { html, headers } = await creation
  return { status: 200, body: html, headers }
}

/** Completes the page with what depends on the configuration. */
const createReference = async ({ publicUrl, apiReference }: Config): Promise<Page> => {
  // Loaded on demand, because it is large and no other page needs it.
  const { reference, builtServer } = await import('./reference.prebuilt.ts')
  const page = reference.html.replaceAll(builtServer, publicUrl)
  const html = apiReference === 'try' ? page.replace('<body>', '<body data-calls="on">') : page
  const headers = { ...reference.headers, etag: buildWeakTag(html), 'cache-control': 'no-cache' }
  return { html, headers }
}
