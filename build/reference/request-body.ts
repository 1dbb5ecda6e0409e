import { describeType } from './describe-type.ts'
import { type Content, getModelName, listModels, type Schema } from './document.ts'
import { listFields, renderFields } from './fields.ts'
import { type Html, html } from './html.ts'
import type { ReferenceContext } from './reference-context.ts'
import { renderSamples } from './sample-list.ts'

/** Renders the body of a request with its fields and examples. The model of this request alone is explained here. */
export const renderRequestBody = (context: ReferenceContext, type: string, content: Content): Html => {
  const { document, markdown } = context
  const { schema = {} } = content
  const model = getModelName(schema)
  const target: Schema | undefined = model === undefined ? schema : document.components.schemas[model]
  const isOwn = model !== undefined && !listModels(document).some(([name]) => name === model)
  const options = isOwn ? { idPrefix: `${model}.` } : { linkPrefix: `${model}.` }
  const fields = target ? listFields(target) : []
  return html`<h4${isOwn ? html` id="${model}"` : ''}>Request body</h4><p><code>${type}</code>: ${describeType(schema)}</p>
${isOwn ? markdown.render(target?.description) : undefined}
${fields.length > 0 ? renderFields(fields, markdown, model === undefined ? {} : options) : undefined}
<div class="request">${renderSamples(document, content)}</div>`
}
