import { createElement } from './elements.ts'
import { showResponse } from './show-response.ts'

/** The credential that the reader pasted. It stays in the memory of the page and is the same for all operations. */
let bearer = ''

/** Adds a button to an operation that opens a form to call it. */
export const addTryIt = (section: HTMLElement): void => {
  const title = section.querySelector('h2')?.textContent ?? ''
  const button = createElement('button', { type: 'button', textContent: 'Try it' })
  button.setAttribute('aria-label', `Try it: ${title}`)
  button.setAttribute('aria-expanded', 'false')
  let form: HTMLFormElement | undefined
  button.addEventListener('click', () => {
    const isOpen = form?.isConnected === true
    button.setAttribute('aria-expanded', String(!isOpen))
    if (isOpen) return form?.remove()
    form ??= createForm(section, title)
    section.querySelector('.route')?.after(form)
  })
  section.querySelector('.route')?.append(button)
}

const createForm = (section: HTMLElement, title: string): HTMLFormElement => {
  const { method = '', path = '', type } = section.dataset
  const parameters = [...section.querySelectorAll<HTMLElement>('[data-in]')].map(createParameter)
  const body = type === undefined ? undefined : createBody(section, type)
  const credential = createElement('input', { type: 'password', autocomplete: 'off', value: bearer })
  const send = createElement('button', { className: 'primary', textContent: 'Send' })
  const status = createElement('p', { role: 'status' })
  const output = createElement('div', {})
  const form = createElement(
    'form',
    { className: 'try-it', autocomplete: 'off' },
    createElement('p', {
      textContent: 'This is a real call. It reads and changes the data of this service.',
    }),
    ...parameters.map(({ label }) => label),
    ...(body?.labels ?? []),
    label('Bearer credential (empty: the session cookie of this browser)', credential),
    send,
    status,
    output,
  )
  form.setAttribute('aria-label', `Try it: ${title}`)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const call: Call = {
      method,
      path,
      parameters: parameters.map(({ place, name, input }) => ({ place, name, value: input.value.trim() })),
      body: body && type !== undefined ? { type, text: body.input.value } : undefined,
      bearer,
    }
    void runCall(call, { send, status, output })
  })
  credential.addEventListener('input', () => {
    bearer = credential.value.trim()
  })
  // Another form can have changed it.
  form.addEventListener('focusin', () => {
    if (credential.value.trim() !== bearer) credential.value = bearer
  })
  return form
}

interface CallOutput {
  readonly send: HTMLButtonElement
  readonly status: HTMLElement
  readonly output: HTMLElement
}

const runCall = async (call: Call, { send, status, output }: CallOutput): Promise<void> => {
  // A disabled button would lose the focus.
  if (send.ariaDisabled === 'true') return
  send.ariaDisabled = 'true'
  output.replaceChildren()
  status.className = ''
  status.textContent = 'Sending…'
  try {
    await showResponse(output, status, await sendCall(call))
  } catch (error) {
    status.className = 'problem'
    status.textContent = describeFailure(error)
  } finally {
    send.ariaDisabled = 'false'
  }
}

/** Browsers report a lost connection and a blocked call with the same `TypeError`. */
const describeFailure = (error: unknown): string => {
  if (error instanceof TypeError) return 'The service did not answer.'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The call took too long.'
  return error instanceof Error ? error.message : 'The call failed.'
}

const createParameter = (row: HTMLElement) => {
  const { in: place = '', name = '', example = '' } = row.dataset
  const input = createElement('input', { type: 'text', autocomplete: 'off', spellcheck: false })
  // The other examples would narrow down the result.
  if (place === 'path') Object.assign(input, { value: example, required: true })
  return { place, name, input, label: label(`${name} (${place})`, input) }
}

const createBody = (section: HTMLElement, type: string) => {
  const input = createElement('textarea', { spellcheck: false })
  const samples = [...section.querySelectorAll('.request .sample')].map((sample) => ({
    title: sample.querySelector('summary')?.textContent.replace('Example: ', '') ?? '',
    text: sample.querySelector('code')?.textContent ?? '',
  }))
  input.value = samples[0]?.text ?? ''
  const select = createElement(
    'select',
    {},
    ...samples.map(({ title, text }) => createElement('option', { textContent: title, value: text })),
  )
  select.addEventListener('change', () => {
    input.value = select.value
  })
  const kind = type === 'application/json' ? type : `${type}, as JSON`
  return {
    input,
    labels: [
      ...(samples.length > 1 ? [label('Example', select)] : []),
      label(`Request body (${kind})`, input),
    ],
  }
}

const label = (text: string, control: HTMLElement): HTMLLabelElement =>
  createElement('label', {}, text, control)

/** A call as the reader filled it in. Empty parameters are not sent, except for those of the path. */
interface Call {
  readonly method: string
  /** The path with its parameters in braces. */
  readonly path: string
  readonly parameters: readonly CallParameter[]
  readonly body: { readonly type: string; readonly text: string } | undefined
  /** A credential to send instead of the session cookie of the browser. */
  readonly bearer: string
}

interface CallParameter {
  readonly place: string
  readonly name: string
  readonly value: string
}

/** How long a call may take. */
const timeoutMs = 60_000

/**
 * Sends a call to the service that the page comes from. Redirects are not followed, because they can lead to other
 * origins. Throws an `Error` whose message explains what is wrong with the call.
 */
const sendCall = async (call: Call): Promise<Response> => {
  const headers = new Headers()
  try {
    for (const { name, value } of listGiven(call, 'header')) headers.set(name, value)
    if (call.bearer) headers.set('Authorization', `Bearer ${call.bearer}`)
  } catch {
    throw new Error('A header contains characters that HTTP does not allow.')
  }
  const body = call.body && { text: encodeBody(call.body), type: call.body.type }
  if (body?.text) headers.set('Content-Type', body.type)
  return fetch(buildUrl(call), {
    method: call.method,
    headers,
    ...(body?.text ? { body: body.text } : {}),
    // Both together would be two answers to who is calling.
    credentials: call.bearer ? 'omit' : 'same-origin',
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

const listGiven = ({ parameters }: Call, place: string): readonly CallParameter[] =>
  parameters.filter((parameter) => parameter.place === place && parameter.value !== '')

const buildUrl = (call: Call): string => {
  const values = new Map(listGiven(call, 'path').map(({ name, value }) => [name, value]))
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    // Browsers resolve these segments, so that the call would reach another operation.
    if (value === undefined || value === '.' || value === '..') throw new Error(`Fill in ${name}.`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(listGiven(call, 'query').map(({ name, value }) => [name, value]))
  return query.size > 0 ? `${path}?${query}` : path
}

/** JSON is sent as it was typed, so that readers can also try invalid bodies. */
const encodeBody = ({ type, text }: NonNullable<Call['body']>): string => {
  if (type === 'application/json') return text
  try {
    return new URLSearchParams(JSON.parse(text || '{}')).toString()
  } catch {
    throw new Error('Write the fields of the form as a JSON object.')
  }
}
