import type { ApiDocument, Content } from './document.ts'
import { type Html, html } from './html.ts'
import { listSamples } from './samples.ts'

/** Renders the examples of a body, each behind its title. */
export const renderSamples = (document: ApiDocument, content: Content): Html =>
  html`${listSamples(document, content).map(
    ({ title, value }) =>
      html`<details class="sample"><summary>Example${title ? `: ${title}` : ''}</summary><pre><code>${formatSample(value)}</code></pre></details>`,
  )}`

const formatSample = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
