import { addCopyButton, createElement } from './elements.ts'

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
  return [createElement('h3', { textContent: title }), block]
}

/** The part of a body that the page shows. */
interface ShownBody {
  readonly text: string
  readonly note: string
}

/** More text than this would keep a browser busy. */
const shownBytes = 100 * 1024

const readableType = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/

/** Reads a body as text, at most its first 100 KB. The rest is not downloaded. JSON is indented. */
const readBody = async (response: Response): Promise<ShownBody> => {
  const type = response.headers.get('content-type') ?? ''
  if (!response.body) return { text: '', note: '' }
  if (!readableType.test(type)) {
    await response.body.cancel()
    return { text: '', note: `A body of the type ${type || 'unknown'} is not shown.` }
  }
  const { bytes, isCut } = await readStart(response.body)
  const text = new TextDecoder().decode(bytes)
  if (isCut) return { text, note: 'The body is longer. Only its first 100 KB are shown.' }
  return { text: indentJson(text), note: text === '' ? 'The body is empty.' : '' }
}

const readStart = async (
  body: ReadableStream<Uint8Array>,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> => {
  const reader = body.getReader()
  const bytes = new Uint8Array(shownBytes)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { bytes: bytes.subarray(0, length), isCut: false }
    const room = shownBytes - length
    bytes.set(value.subarray(0, room), length)
    length += Math.min(value.length, room)
    if (value.length <= room) continue
    await reader.cancel()
    return { bytes, isCut: true }
  }
}

const indentJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
