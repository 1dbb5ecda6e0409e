import { addCopyButton } from './copy.ts'
import { createElement } from './create-element.ts'
import { readBody } from './response-body.ts'

/** Shows the status, the headers and the body of a response. All of them are only ever text. */
export const showResponse = async (
  output: HTMLElement,
  status: HTMLElement,
  response: Response,
): Promise<void> => {
  if (response.type === 'opaqueredirect') {
    status.textContent = 'Redirect. Browsers do not show its status and its address to scripts.'
    return
  }
  const { text, note } = await readBody(response)
  status.textContent = `Status ${response.status} ${response.statusText}. ${note}`.trim()
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  output.append(...showBlock('Response headers', headers.join('\n')))
  if (text) output.append(...showBlock('Response body', text))
}

const showBlock = (title: string, text: string): readonly Element[] => {
  const block = createElement('pre', {})
  block.append(createElement('code', { textContent: text }))
  addCopyButton(block)
  return [createElement('h4', { textContent: title }), block]
}
