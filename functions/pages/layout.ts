import { type Page, setPage as setPageWith } from '../../lib/http/page.ts'

/** What both scripts need: a call to our own API, and a place to say how it went. */
const shared = `
const byId = (id) => document.getElementById(id)
const call = async (method, path, body, bearer) => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(bearer ? { Authorization: 'Bearer ' + bearer } : {}),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  return { ok: response.ok, status: response.status, body: text ? JSON.parse(text) : {} }
}
const sentences = ({ body }) => body.errors && body.errors.length
  ? body.errors.map(({ field, message }) => message.startsWith('The ') ? message : field + ' ' + message)
  : [body.detail || 'That did not work. Try again.']
const say = (place, texts) => {
  const box = byId(place)
  box.replaceChildren()
  if (texts.length === 1) box.textContent = texts[0]
  else if (texts.length > 1) {
    const list = document.createElement('ul')
    for (const text of texts) list.append(Object.assign(document.createElement('li'), { textContent: text }))
    box.append(list)
  }
}
const whileBusy = async (form, work) => {
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try { await work() } catch { say('problem', ['The service can’t be reached. Try again in a moment.']) }
  finally { for (const button of buttons) button.disabled = false }
}
`

/** A page of ours whose own script goes on from what all of them share. */
export const setPage = (title: string, content: string, ownScript: string): Page =>
  setPageWith(title, content, shared + ownScript)
