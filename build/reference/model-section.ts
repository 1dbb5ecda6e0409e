import { describeType } from './describe-type.ts'
import { listModels, type Schema } from './document.ts'
import { listFields, renderFields } from './fields.ts'
import { renderHeading } from './heading.ts'
import { type Html, html } from './html.ts'
import type { Markdown } from './markdown.ts'
import type { ReferenceContext } from './reference-context.ts'

/** Renders all models with their fields and examples. */
export const renderModels = ({ document, markdown }: ReferenceContext): Html =>
  html`<section id="models" aria-labelledby="models--title">
${renderHeading({ level: 2, id: 'models', title: 'Models', titleId: 'models--title' })}
${listModels(document).map(([name, schema]) => renderModel(name, schema, markdown))}
</section>`

const renderModel = (name: string, schema: Schema, markdown: Markdown): Html => {
  const fields = listFields(schema)
  const [example] = schema.examples ?? []
  return html`<section class="model" id="${name}" aria-label="Model ${name}">
${renderHeading({ level: 3, id: name, title: name, titleId: `${name}--title` })}
${markdown.render(schema.description)}
${fields.length > 0 ? renderFields(fields, markdown, { idPrefix: `${name}.` }) : html`<p>${describeType(schema)}</p>`}
${
  example === undefined
    ? undefined
    : html`<details><summary>Example of ${name}</summary><pre><code>${JSON.stringify(example, undefined, 2)}</code></pre></details>`
}
</section>`
}
