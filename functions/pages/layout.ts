import { type Page, setPage as setPageWith } from '../../lib/http/page.ts'
import { words } from './words.ts'

/** What all scripts need: a call to our own API, and places to say how it went. */
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
  return {
    ok: response.ok,
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    body: text ? JSON.parse(text) : {},
  }
}
const unreachable = ['The service can’t be reached. Try again in a moment.']
const say = (place, texts) => {
  const box = byId(place)
  box.replaceChildren()
  if (texts.length === 1) box.textContent = texts[0]
  else if (texts.length > 1) box.append(listOf(texts))
}
const listOf = (texts) => {
  const list = document.createElement('ul')
  for (const text of texts) list.append(Object.assign(document.createElement('li'), { textContent: text }))
  return list
}
const setTitle = (title) => {
  document.title = title
  document.querySelector('h1').textContent = title
}
// Whoever doesn't see the page is led to where it has become another one.
const turnTo = (title) => {
  setTitle(title)
  const heading = document.querySelector('h1')
  heading.tabIndex = -1
  heading.focus()
}
const whileBusy = async (form, work) => {
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try { await work() } catch { say('problem', unreachable) }
  finally { for (const button of buttons) button.disabled = false }
}
const showTyped = (isShown, inputs) => {
  byId('see').checked = isShown
  for (const input of inputs) byId(input).type = isShown ? 'text' : 'password'
}
const nameOf = ({ username, display_name: name }) =>
  name === username && /^guest-[0-9a-f]+$/.test(name) ? 'a guest' : name
`

/** A box that shows what is typed into fields for passwords; its script is `showTyped`. */
export const seeBox =
  '<label class="check"><input id="see" type="checkbox" autocomplete="off"> Show what I type</label>'

/** A page of ours whose own script goes on from what all of them share. */
export const setPage = (title: string, content: string, ownScript: string): Page =>
  setPageWith(title, content, shared + words + ownScript)
