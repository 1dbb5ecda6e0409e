import { createHash } from 'node:crypto'
import type { pages } from '../../lib/contract/operations/pages.ts'
import type { Config } from '../../lib/core/config.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { Page } from '../../lib/http/page.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

let creation: Promise<Page> | undefined

/** Shows the API reference, unless the configuration turns it off. Browsers keep it and ask whether it has changed. */
export const showReference: UseCase<typeof pages.referencePage> = async (_, { config }) => {
  if (config.apiReference === 'off') throw notFound()
  creation ??= createReference(config)
  const { html, headers } = await creation
  return { status: 200, body: html, headers }
}

/** The server in the OpenAPI document of the build. */
const builtServer = 'http://127.0.0.1:3000'

/** Completes the page with what depends on the configuration. */
const createReference = async ({ publicUrl, apiReference }: Config): Promise<Page> => {
  // Loaded on demand, because it is large and no other page needs it.
  const { reference } = await import('./reference.prebuilt.ts')
  const page = reference.html.replaceAll(builtServer, publicUrl)
  const html = apiReference === 'try' ? page.replace('<body>', '<body data-calls="on">') : page
  // A weak validator, because the compressed page has other bytes (RFC 9110 8.8.1).
  const etag = `W/"${createHash('sha256').update(html).digest('base64url')}"`
  return { html, headers: { ...reference.headers, etag, 'cache-control': 'no-cache' } }
}
